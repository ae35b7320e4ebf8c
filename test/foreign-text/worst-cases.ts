/** Texts that make a pattern try again and again: one piece, repeated, with something before and behind it. */

/** One of each class of characters, and what patterns of this project look for. */
const pieces = [
  ...['a', 'é', '漢', '1', ' ', '\n', '\t', '\r\n', '\u00a0', '\u0301', '\u0316\u0301', '😀'],
  ...['.', ',', ';', ':', '!', '?', '-', '—', '_', '*', '***', '~', '^', '#', '%', '&', '|', '/', '\\', '$'],
  ...['"', "'", '’', '“', '`', '```', '<', '>', '[', ']', '(', ')', '{', '}', '=', '@', '+'],
  ...['a ', '. ', ', ', 'a.', 'a-', 'a\n', '1.', '1,', '1 ', '- ', '> ', '\n\n', '\\ ', '\u001b[', '?;'],
  ...['ly ', 'eventually ', 'early', 'all ', 'not ', 'majority ', 'models ', 'the table ', 'every model '],
  ...['5 of 6 models ', 'all six models ', 'unanimous ', 'two seats ', 'agreed '],
  ...['Seat A ', 'seats A and B ', 'A and ', 'Claude ', 'Claude-4.', 'GPT', 'only ', 'model ', 'i’m sorry '],
  ...['{a', '{leading}', '{agreement} ', '{{', '}}', '[a](', '![', '**a', 'a*', 'a_', '__a_', '<a', '~~'],
  ...['<script', '<head>', '</', '<!--', '<title>', '&a', 'Bearer ', 'api-key', 'authorization: ', 'http://'],
  ...['Answer: ', 'Answer: a\n', 'Model Responses\n', ' | ', ' > ', 'try again in 1', '[[', '{"a":'],
]

/** With nothing behind it a pattern may match at the end, and with this it can't. */
const end = '\u0000x!'

export interface WorstCase {
  readonly name: string
  readonly piece: string
  text(length: number): string
}

const repeated = (beginning: string, piece: string, end: string): WorstCase => ({
  name: JSON.stringify([beginning, piece, end]),
  piece,
  text: length => beginning + piece.repeat(Math.ceil(length / piece.length)).slice(0, length) + end,
})

/** `beginnings`: what leads a pattern of the function to where it repeats. */
export const worstCases = (beginnings: readonly string[]): WorstCase[] =>
  pieces.flatMap(piece => [
    repeated('', piece, ''),
    ...['', ...beginnings].map(beginning => repeated(beginning, piece, end)),
  ])
