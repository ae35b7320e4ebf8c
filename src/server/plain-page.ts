/** A plain page that the server writes itself: one style, no script, nothing from other servers. */
import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { html, raw } from 'hono/html'
import { plainPagePolicy } from './headers.ts'
import type { Env } from './service.ts'

const style = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 20%, transparent) }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line) }
h3 { font: 600 1rem/1.5 ui-monospace, monospace; margin: 2rem 0 0.25rem }
h3 b { display: inline-block; min-width: 4.5rem }
pre { overflow-x: auto; padding: 1rem; border: 1px solid var(--line); border-radius: 0.5rem; font-size: 0.8rem }
table { border-collapse: collapse } td, th { text-align: left; padding: 0.15rem 1rem 0.15rem 0; vertical-align: top }
input, button { font: inherit; padding: 0.5rem 0.75rem }
label { display: block; margin-bottom: 0.5rem }
.wrong { font-weight: 600 }
`
const styleHash = createHash('sha256').update(style).digest('base64')

export type Fragment = ReturnType<typeof html>

export const plainPage = async (
  context: Context<Env>,
  title: string,
  body: Fragment,
  status: 200 | 401 = 200,
): Promise<Response> =>
  context.html(
    await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
${body}
</body>
</html>
`,
    status,
    { 'content-security-policy': plainPagePolicy(styleHash), 'cache-control': 'no-store' },
  )
