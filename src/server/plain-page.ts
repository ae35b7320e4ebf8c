/** A plain page that the server writes itself: one style, no script unless it asks for one, nothing from other servers. */
import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { html, raw } from 'hono/html'
import { pageFonts } from './built-pages.ts'
import { plainPagePolicy } from './headers.ts'
import type { Env } from './service.ts'

/** The colours and fonts of the pages (`src/web/theme.css`). */
const style = `
${pageFonts()}:root { color-scheme: light dark; --paper: light-dark(#faf8f3, #171613); --surface: light-dark(#fffefb, #1f1d1a);
  --ink: light-dark(#211e19, #ece8df); --soft: light-dark(#5e584e, #b3ac9f); --line: light-dark(#e2dbce, #39352e);
  --edge: light-dark(#8a8275, #857d70); --accent: light-dark(#8a4a1c, #e8a878); --on-accent: light-dark(#fffefb, #1f1410);
  --bad: light-dark(#9d2f26, #f0a096) }
html { background: var(--paper); color: var(--ink) }
body { font: 16px/1.5 Inter, system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: break-word }
h1 { font: 600 1.75rem/1.2 'Source Serif 4', Charter, Georgia, serif }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line) }
h3 { font: 600 1rem/1.5 ui-monospace, monospace; margin: 2rem 0 0.25rem }
h3 b { display: inline-block; min-width: 4.5rem }
a { color: var(--accent) }
pre { overflow-x: auto; padding: 1rem; border: 1px solid var(--line); border-radius: 0.5rem; font-size: 0.8rem }
table { border-collapse: collapse } td, th { text-align: left; padding: 0.15rem 1rem 0.15rem 0; vertical-align: top }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.card { max-width: 24rem; margin: 12vh auto 0; padding: 2rem 1.5rem; border: 1px solid var(--line); border-radius: 0.875rem;
  background: var(--surface) }
.card h1 { margin: 0.75rem 0 0.25rem }
.card svg { width: 2.75rem; color: var(--accent) }
.card form { display: grid; gap: 0.5rem; margin-top: 1.25rem }
.card label { font-size: 0.8125rem; font-weight: 600; color: var(--soft) }
.card input, .card button { font: inherit; padding: 0.6rem 0.75rem; border-radius: 0.5rem; box-sizing: border-box; width: 100% }
.card input { border: 1px solid var(--edge); background: var(--paper); color: var(--ink) }
.card button { margin-top: 0.5rem; border: 0; background: var(--accent); color: var(--on-accent); font-weight: 600; cursor: pointer }
.card button.quiet { border: 1px solid var(--edge); background: none; color: var(--accent) }
.way a { display: block; padding: 0.6rem 0.75rem; border: 1px solid var(--edge); border-radius: 0.5rem; text-align: center }
.panel { margin-top: 1.5rem; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: 0.875rem; background: var(--surface) }
.panel h2 { margin: 0 0 0.5rem; border: 0; font-size: 1.125rem }
.panel table { width: 100% } .panel td { padding: 0.5rem 0.5rem 0.5rem 0; overflow-wrap: anywhere }
.panel td + td { width: 1%; white-space: nowrap; text-align: right }
.panel form { margin-top: 0.75rem; max-width: 24rem } .panel td form { margin: 0 }
.panel label { display: block; margin-top: 0.5rem; font-size: 0.8125rem; font-weight: 600; color: var(--soft) }
.panel input, .panel select, .panel button { font: inherit; padding: 0.5rem 0.75rem; border-radius: 0.5rem; box-sizing: border-box }
.panel input, .panel select { width: 100%; border: 1px solid var(--edge); background: var(--paper); color: var(--ink) }
.panel button { margin-top: 0.5rem; border: 0; background: var(--accent); color: var(--on-accent); font-weight: 600; cursor: pointer }
.panel td button { margin: 0 } .panel button.quiet { border: 1px solid var(--edge); background: none; color: var(--ink) }
.panel .row { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: end; max-width: none }
.panel .acts form { display: inline-flex; flex-wrap: nowrap; gap: 0.25rem; margin: 0 0 0.25rem } .panel .acts select { width: auto }
@media (max-width: 44rem) { .panel td:has(+ .acts), .panel td.acts { display: block; width: auto; padding: 0.25rem 0; text-align: left; white-space: normal } }
.new { padding: 0.5rem 0.75rem; border: 1px solid var(--accent); border-radius: 0.5rem } .new code { overflow-wrap: anywhere }
.hint { margin: 0; font-size: 0.875rem; color: var(--soft) }
.wrong { margin: 1rem 0 0; padding: 0.5rem 0.75rem; border: 1px solid var(--bad); border-radius: 0.5rem; color: var(--bad) }
`
const styleHash = createHash('sha256').update(style).digest('base64')

export type Fragment = ReturnType<typeof html>

export const plainPage = async (
  context: Context<Env>,
  title: string,
  body: Fragment,
  status: 200 | 401 | 404 | 422 | 429 = 200,
  scripts = false,
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
    { 'content-security-policy': plainPagePolicy(styleHash, scripts), 'cache-control': 'no-store' },
  )
