/** Reads lines of JSON out of a stream that may hold anything else too. */

export type JsonRecord = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const recordIn = (value: unknown, key: string): JsonRecord => {
  const inner = isRecord(value) ? value[key] : undefined
  return isRecord(inner) ? inner : {}
}

export const textIn = (value: unknown, key: string): string => {
  const inner = isRecord(value) ? value[key] : undefined
  return typeof inner === 'string' ? inner : ''
}

export const countIn = (value: JsonRecord, key: string): number => {
  const inner = value[key]
  return typeof inner === 'number' && Number.isFinite(inner) && inner > 0 ? inner : 0
}

/** No answer is nearly as long. A longer line isn't kept while it arrives, and isn't read. */
export const longestLine = 4_000_000

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Lines that aren't JSON objects are skipped: programs print warnings and banners between them. */
export const jsonLines = (onObject: (value: JsonRecord) => void) => {
  let pieces: string[] = []
  let length = 0
  const finish = (): void => {
    const line = length > longestLine ? '' : pieces.join('').trim()
    pieces = []
    length = 0
    const value = line.startsWith('{') ? parsed(line) : undefined
    if (isRecord(value)) onObject(value)
  }
  const keep = (piece: string): void => {
    length += piece.length
    if (length > longestLine) pieces = []
    else pieces.push(piece)
  }
  return {
    data(text: string): void {
      let from = 0
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
        keep(text.slice(from, end))
        finish()
        from = end + 1
      }
      keep(text.slice(from))
    },
    /** What stands after the last line break. */
    end: finish,
  }
}
