/**
 * Draws the tour as a terminal shows it, at its end or as a recording of its moments:
 * `node scripts/terminal-picture.ts docs/tour.svg [docs/recording.svg] [columns]`.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { run } from '../src/main/program.ts'
import { widthOf } from '../src/terminal/terminal.ts'

const [picture = 'tour.svg', recording, width = '84'] = process.argv.slice(2)
const columns = Number(width)
const cell = 8.43
const lineHeight = 18
const margin = 16

/** What a terminal has on its screen after all this was written: lines with their colour codes, drawn over as the program asks. */
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

/** Everything that the tour writes to a terminal, piece by piece. */
const recorded = async (): Promise<string[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'roundtable-picture-'))
  const written: string[] = []
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns, rows: 60 })
  stdout.on('data', chunk => written.push(String(chunk)))
  await run(['tour'], {
    ...{ stdin: new PassThrough(), stdout, stderr: process.stderr, cwd: folder, clock: Date.now },
    env: { ROUNDTABLE_DATA: folder, ROUNDTABLE_LOCAL: 'no', TERM: 'xterm-256color' },
    onInterrupt: () => () => {},
    quit: process.exit,
  })
  rmSync(folder, { recursive: true, force: true })
  return written
}

const trimmed = (screen: readonly string[]): string[] => {
  const lines = screen.slice(0, -1)
  while (lines[0]?.trim() === '') lines.shift()
  return lines
}

/** What the recording shows, one after the other: the last screen on which each of them is. */
const moments = ['Waiting for', 'So far, after the sealed round', 'Report, as it is written:'] as const

const momentsOf = (written: readonly string[]): string[][] => {
  const found = new Map<string, string>()
  let all = ''
  for (const piece of written) {
    all += piece
    const moment = moments.findLast(words => piece.includes(words))
    if (moment) found.set(moment, all)
  }
  const screens = [...moments.flatMap(words => found.get(words) ?? []), all].map(screenOf)
  return screens.map(lines => trimmed(lines).slice(-rowsShown))
}

/** The rest has scrolled out of sight. */
const rowsShown = 34
const secondsEach = 4

/** Without motion, only the last frame is shown. */
const animation = (count: number): string =>
  [
    '<style>.frame{visibility:hidden}.frame:last-of-type{visibility:visible}',
    `@media (prefers-reduced-motion: no-preference){.frame,.frame:last-of-type{visibility:hidden;animation:show ${count * secondsEach}s step-end infinite}`,
    `@keyframes show{0%{visibility:visible}${(100 / count).toFixed(2)}%{visibility:hidden}}`,
    ...Array.from(
      { length: count },
      (_, index) => `.frame.f${index}{animation-delay:${index * secondsEach}s}`,
    ),
    '}</style>',
  ].join('')

const write = (file: string, frames: readonly (readonly string[])[]): void => {
  const rows = Math.max(...frames.map(lines => lines.length))
  const [wide, high] = [(2 * margin + columns * cell).toFixed(0), 60 + rows * lineHeight]
  const groups = frames.map(
    (lines, index) => `<g class="frame f${index}">\n${lines.flatMap(drawn).join('\n')}\n</g>`,
  )
  writeFileSync(
    file,
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}" role="img" aria-label="A session in the terminal">${frames.length > 1 ? animation(frames.length) : ''}<rect width="${wide}" height="${high}" rx="10" fill="#1b1a17"/><g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#e8e4dc" xml:space="preserve">
${groups.join('\n')}
</g></svg>
`,
  )
}

const written = await recorded()
write(picture, [trimmed(screenOf(written.join('')))])
if (recording) write(recording, momentsOf(written))
process.exit(0)
