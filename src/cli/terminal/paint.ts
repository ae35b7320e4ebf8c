/** Colours, in addition to words and marks: nothing is lost without them. */
import { styleText } from 'node:util'

export interface Paint {
  strong(text: string): string
  faint(text: string): string
  good(text: string): string
  bad(text: string): string
  notable(text: string): string
}

const same = (text: string): string => text

export const noPaint: Paint = { strong: same, faint: same, good: same, bad: same, notable: same }

/** Colours if the stream is a terminal that has them, and NO_COLOR is not set. */
export const paintFor = (stream: NodeJS.WritableStream): Paint => {
  const style =
    (format: Parameters<typeof styleText>[0]) =>
    (text: string): string =>
      styleText(format, text, { stream, validateStream: true })
  return {
    strong: style('bold'),
    faint: style('dim'),
    good: style('green'),
    bad: style('red'),
    notable: style('yellow'),
  }
}
