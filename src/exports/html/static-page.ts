/** The frame of every exported page: it may run nothing and load nothing. */
import { escaped } from './text.ts'

/** Even if a text slipped through as markup, nothing may run and nothing may be loaded. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/** `body` is markup; the title is text. */
export const staticPage = (title: string, style: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(title.length > 80 ? `${title.slice(0, 79)}…` : title)} · Roundtable</title>
<style>
${style}
</style>
</head>
<body>
${body}
</body>
</html>
`
