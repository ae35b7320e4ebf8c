/** The look of the page: one column, light or dark as the reader's system is. */
export const style = `
:root { color-scheme: light dark; --paper: #fdfcfa; --ink: #1f1d1a; --soft: #5d5850; --line: #ddd6ca; --accent: #7a3e12 }
@media (prefers-color-scheme: dark) {
  :root { --paper: #191816; --ink: #ebe7df; --soft: #b0a99c; --line: #3b3833; --accent: #e8a878 }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif }
body > * { max-width: 48rem; margin-inline: auto; padding-inline: 1.25rem }
header { padding-top: 2.5rem } footer { padding-block: 2rem 4rem; color: var(--soft); font-size: .85rem }
h1 { font-size: 1.5rem; margin: 0 } h2 { font-size: 1.2rem; margin: 2.5rem 0 1rem; padding-top: 1rem; border-top: 1px solid var(--line) }
.scroll { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-size: .9rem; line-height: 1.4 }
caption { text-align: start; color: var(--soft); padding-bottom: .5rem }
th, td { text-align: start; vertical-align: top; padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere }
tbody th { min-width: 7rem; overflow-wrap: break-word }
.number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap }
figure { margin: 1.5rem 0 } svg { width: 100%; height: auto; display: block } figcaption { color: var(--soft); font-size: .85rem }
figure svg { min-width: 34rem }
svg text { fill: var(--ink); font-size: 13px } svg .mark { fill: var(--soft); font-size: 12px }
.grid { stroke: var(--line) } .base { stroke: var(--soft); stroke-dasharray: 4 3 }
.range { stroke: var(--accent); stroke-width: 2.5 } .dot { fill: var(--accent) }
svg .path { fill: none; stroke: var(--line); stroke-width: 2 } .start { fill: var(--paper); stroke: var(--accent); stroke-width: 2 }
.won { fill: var(--accent) } .lost { fill: var(--soft) }
thead th { white-space: nowrap } .scroll { margin-block: 1.5rem } figure .scroll { margin-block: 0 .5rem }
`.trim()
