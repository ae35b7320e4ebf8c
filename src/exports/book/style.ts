/** The look of an exported book: a column of type, light or dark as the reader's system is, and a page a letter on paper. */
export const bookStyle = `
:root { color-scheme: light dark; --paper: #fdfcfa; --ink: #1f1d1a; --soft: #5d5850; --line: #ddd6ca;
  --accent: #7a3e12; --shade: #f4f0e8 }
@media (prefers-color-scheme: dark) {
  :root { --paper: #191816; --ink: #ebe7df; --soft: #b0a99c; --line: #3b3833; --accent: #e8a878; --shade: #22201d }
}
* { box-sizing: border-box }
html { scroll-behavior: smooth }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1.125rem/1.7 Charter, 'Bitstream Charter', 'Iowan Old Style', Georgia, serif }
body > * { max-width: 36rem; margin-inline: auto; padding-inline: 1.25rem }
header { padding-block: 5rem 2rem; text-align: center }
h1 { font-size: 2.4rem; line-height: 1.2; font-weight: 500; letter-spacing: -.01em; margin: 0 }
h2 { font-weight: 500; font-size: 1.7rem; line-height: 1.25; margin: 0 0 1.5rem }
h1, h2, p, li, .text, .says { overflow-wrap: anywhere }
.byline { color: var(--soft); margin: 1rem 0 0 }
.task { font-style: italic; color: var(--soft); white-space: pre-wrap; margin: 2rem auto 0; max-width: 30rem; font-size: 1rem }
.note { background: var(--shade); border-inline-start: 3px solid var(--accent); padding: .75rem 1rem; text-align: start; font-size: .95rem }
.hint, .number, footer { color: var(--soft); font-size: .9rem }
nav ol { padding: 0; margin: 1.5rem 0; list-style: none; counter-reset: letter }
nav li { counter-increment: letter; display: grid; grid-template-columns: 2rem 1fr; padding-block: .8rem; border-top: 1px solid var(--line) }
nav li::before { content: counter(letter); color: var(--soft); font-variant-numeric: oldstyle-nums; grid-row: span 2 }
.from { font-weight: 600 }
.says { grid-column: 2; color: var(--soft); font-size: .95rem; line-height: 1.5 }
nav, article, section { padding-block: 3rem }
article, section { border-top: 1px solid var(--line) }
.number { margin: 0; letter-spacing: .04em }
.text > p:first-child { margin-top: 0 }
pre { overflow-x: auto; background: var(--shade); padding: .75rem 1rem; font-size: .85rem; line-height: 1.45 }
code { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, monospace; font-size: .9em }
blockquote { margin: .75rem 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line) }
a { color: var(--accent) }
.steps { display: flex; justify-content: space-between; gap: 1rem; margin: 2.5rem 0 0; font-size: .95rem }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px }
:target { scroll-margin-top: 1rem }
footer { padding-block: 1rem 4rem; overflow-wrap: anywhere }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto } }
@media (max-width: 30rem) { body { font-size: 1.0625rem } header { padding-top: 2.5rem } h1 { font-size: 1.9rem } }
@page { margin: 22mm 20mm }
@media print {
  :root { --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --accent: #000; --shade: #f3f3f3 }
  body { font-size: 11.5pt; line-height: 1.6 } body > * { max-width: none; padding: 0 }
  header { padding-top: 12mm } nav, article, section { padding-block: 0; border: 0 }
  nav { padding-top: 8mm } article, section { break-before: page } h2 { break-after: avoid }
  a { text-decoration: none; color: inherit } .steps { display: none } p { orphans: 3; widows: 3 }
}
`.trim()
