/** The look of the exported page: one column of type, light or dark as the reader's system is. */
import { colourNames, paletteCss } from '../../core/drawing/palette.ts'

/** What the drawings use besides the colours of the text. */
const drawn = colourNames.filter(name => /^(surface|edge|bad|level-.*|camp-.*)$/.test(name))

export const style = `
:root { color-scheme: light dark; --paper: #fdfcfa; --ink: #1f1d1a; --soft: #5d5850; --line: #ddd6ca;
  --accent: #7a3e12; --shade: #f4f0e8; ${paletteCss('light', drawn)} }
@media (prefers-color-scheme: dark) {
  :root { --paper: #191816; --ink: #ebe7df; --soft: #b0a99c; --line: #3b3833; --accent: #e8a878; --shade: #22201d;
    ${paletteCss('dark', drawn)} }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.6 Charter, 'Bitstream Charter', 'Iowan Old Style', Georgia, serif }
body > * { max-width: 42rem; margin-inline: auto; padding-inline: 1.25rem }
header { padding-top: 3rem }
footer { padding-block: 2rem 4rem; color: var(--soft); font-size: .85rem; overflow-wrap: anywhere }
h1, h2, h3, .label, .meta, table, summary { font-family: system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif }
h1 { font-size: 1rem; font-weight: 600; color: var(--soft); margin: 0 }
h2 { font-size: 1.2rem; margin: 3rem 0 1rem; padding-top: 1rem; border-top: 1px solid var(--line) }
h3 { font-size: 1.02rem; margin: 2.25rem 0 .4rem }
.question { font-size: 1.35rem; line-height: 1.4; white-space: pre-wrap; margin: 1.5rem 0 }
.answer { font-size: 1.3rem; line-height: 1.4; margin: .25rem 0 }
.headline { font-weight: 600; margin: .25rem 0 .75rem; white-space: pre-wrap }
.label { font-size: .8rem; font-weight: 600; color: var(--soft); margin: 1.5rem 0 0 }
.meta { font-size: .85rem; color: var(--soft); margin: .5rem 0 }
.mark { color: var(--accent); font-weight: 600; font-size: .85rem }
.note { background: var(--shade); border-left: 3px solid var(--accent); padding: .75rem 1rem }
.question, .answer, .headline, .text, .words, li, td { overflow-wrap: anywhere }
thead th { white-space: nowrap }
tbody th { min-width: 6rem; overflow-wrap: break-word }
.words { white-space: pre-wrap }
.own { margin: .5rem 0; font-style: italic; overflow-wrap: anywhere }
.points summary { font-size: .9rem; color: var(--soft) }
.points ul { margin: 0; padding-left: 1.1rem; font-size: .95rem }
.points li { margin-bottom: .9rem }
.points blockquote, .points li > p { margin: .3rem 0 }
blockquote { margin: .75rem 0; padding-left: 1rem; border-left: 3px solid var(--line) }
pre { overflow-x: auto; background: var(--shade); padding: .75rem 1rem; font-size: .85rem; line-height: 1.45 }
code { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, monospace; font-size: .9em }
a { color: var(--accent) }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .9rem; line-height: 1.4 }
th, td { text-align: start; vertical-align: top; padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line) }
.number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap }
[aria-labelledby='usage'] thead th:not(:first-child) { text-align: end }
.letter { display: inline-grid; place-content: center; min-width: 1.6em; height: 1.6em; padding-inline: .3em; margin-inline-end: .35em;
  border: 1px solid var(--line); border-radius: 1em; font-size: .85em; line-height: 1 }
.drawings { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: center; margin-top: 1.5rem }
.drawings figure { flex: 1 1 min(20rem, 100%); min-width: 0; max-width: 27rem; margin: 0 auto }
.drawings svg { display: block; width: 100%; height: auto; font-family: system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif }
.bar { display: block; height: .3rem; width: var(--share); background: var(--accent); margin-top: .3rem }
summary { cursor: pointer; font-weight: 600; padding: .6rem 0 }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
@media (max-width: 30rem) { body { font-size: 1rem } header { padding-top: 1.5rem } .question { font-size: 1.15rem } }
@media print {
  :root { --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --accent: #000; --shade: #f3f3f3;
    ${paletteCss('light', drawn)} }
  body { font-size: 10.5pt } body > * { max-width: none }
  h2, h3 { break-after: avoid } tr, .note, figure { break-inside: avoid } svg { print-color-adjust: exact }
  details::details-content { content-visibility: visible; height: auto }
}
`.trim()
