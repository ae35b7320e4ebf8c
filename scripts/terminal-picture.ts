/** Draws the tour as a terminal shows it: `node scripts/terminal-picture.ts docs/tour.svg`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { run } from '../src/cli/program.ts'
import { widthOf } from '../src/cli/terminal/cells.ts'

const columns = 84
const cell = 8.43
const lineHeight = 18
const margin = 16

/** What a terminal has on its screen in the end: lines with their colour codes, drawn over as the program asks. */
const screenOf = (written: string): string[] => {
  let lines = ['']
  let row = 0
  /** The cursor is at the beginning of a line: what comes next replaces it. */
  let begins = true
  for (const [part] of written.matchAll(/\x1b\[\??[\d;]*[A-Za-z]|[\r\n]|[^\x1b\r\n]+/g)) {
    const up = /^\x1b\[(\d+)A$/.exec(part)
    if (part === '\n' || part === '\r' || up) {
      row = Math.max(0, row + (part === '\n' ? 1 : -Number(up?.[1] ?? 0)))
      lines[row] ??= ''
      begins = true
    } else if (part === '\x1b[J') lines = lines.slice(0, row + 1).with(row, begins ? '' : lines[row]!)
    else if (part === '\x1b[K') {
      if (begins) lines[row] = ''
    } else if (part.endsWith('m') || !part.startsWith('\x1b')) {
      lines[row] = begins ? part : lines[row] + part
      begins = false
    }
  }
  return lines
}

const colours: Readonly<Record<string, string>> = {
  '1': 'font-weight="700"',
  '2': 'fill="#8a857b"',
  '31': 'fill="#e07a6a"',
  '32': 'fill="#8fbf7f"',
  '33': 'fill="#e5b567"',
  '36': 'fill="#7fb5c9"',
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const drawn = (line: string, row: number): string[] => {
  let column = 0
  const active = new Set<string>()
  return [...line.matchAll(/\x1b\[([\d;]*)m|([^\x1b]+)/g)].flatMap(([, code, text]) => {
    if (code !== undefined) {
      // 22 and 39 end what is bold, faint or coloured; 0 ends everything.
      if (code in colours) active.add(code)
      else active.clear()
      return []
    }
    return [...text!.matchAll(/\S+(?: \S+)*|\s+/g)].flatMap(([piece]) => {
      const [x, width] = [margin + column * cell, widthOf(piece) * cell]
      column += widthOf(piece)
      if (piece.trim() === '') return []
      const style = [...active].map(one => ` ${colours[one]}`).join('')
      return `<text x="${x.toFixed(1)}" y="${46 + row * lineHeight}" textLength="${width.toFixed(1)}" lengthAdjust="spacing"${style}>${escaped(piece)}</text>`
    })
  })
}

const folder = mkdtempSync(join(tmpdir(), 'roundtable-picture-'))
let written = ''
const stdout = Object.assign(new PassThrough(), { isTTY: true, columns, rows: 60 })
stdout.on('data', chunk => {
  written += chunk
})
const code = await run(['tour'], {
  ...{ stdin: new PassThrough(), stdout, stderr: process.stderr, cwd: folder, clock: Date.now },
  env: { ROUNDTABLE_DATA: folder, ROUNDTABLE_LOCAL: 'no', TERM: 'xterm-256color' },
  onInterrupt: () => () => {},
  quit: process.exit,
})
rmSync(folder, { recursive: true, force: true })
const lines = screenOf(written).slice(0, -1)
while (lines[0]?.trim() === '') lines.shift()
const [width, height] = [2 * margin + columns * cell, 60 + lines.length * lineHeight]
writeFileSync(
  process.argv[2] ?? 'tour.svg',
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width.toFixed(0)} ${height}" role="img" aria-label="A session in the terminal"><rect width="${width.toFixed(0)}" height="${height}" rx="10" fill="#1b1a17"/><g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#e8e4dc" xml:space="preserve">
${lines.flatMap(drawn).join('\n')}
</g></svg>
`,
)
process.exit(code)
