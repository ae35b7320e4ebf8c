/**
 * Reads a JSON object while it is being written, and passes on the text of chosen top-level string fields.
 * It reads each character once, whatever the size of the chunks: parsing the whole text again for every token would
 * take time that grows with the square of its length.
 */

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

const quote = 34
const backslash = 92

export interface JsonFields {
  push(chunk: string): void
}

export const jsonFields = (
  fields: readonly string[],
  emit: (field: string, text: string) => void,
): JsonFields => {
  let depth = 0
  let inString = false
  /** An escape that isn't complete yet, without its backslash. Undefined outside of one. */
  let escaping: string | undefined
  let atKey = false
  let key = ''
  let role: 'key' | 'value' | 'other' = 'other'
  const wanted = new Set(fields)

  const give = (text: string): void => {
    if (text === '') return
    if (role === 'key') key += text
    else if (role === 'value') emit(key, text)
  }

  const throughEscape = (chunk: string, from: number): number => {
    let index = from
    while (escaping !== undefined && index < chunk.length) {
      escaping += chunk[index++]
      if (escaping[0] !== 'u') give(escapes[escaping] ?? escaping)
      else if (escaping.length < 5) continue
      else give(String.fromCharCode(Number.parseInt(escaping.slice(1), 16)))
      escaping = undefined
    }
    return index
  }

  const throughString = (chunk: string, from: number): number => {
    let index = from
    while (index < chunk.length) {
      const code = chunk.charCodeAt(index)
      if (code === quote || code === backslash) break
      index++
    }
    give(chunk.slice(from, index))
    if (index === chunk.length) return index
    if (chunk.charCodeAt(index) === backslash) {
      escaping = ''
      return throughEscape(chunk, index + 1)
    }
    inString = false
    return index + 1
  }

  const startString = (): void => {
    inString = true
    if (depth === 1 && atKey) {
      role = 'key'
      key = ''
    } else role = depth === 1 && wanted.has(key) ? 'value' : 'other'
  }

  const structure = (character: string): void => {
    if (character === '"' && depth > 0) startString()
    else if (character === '{' || character === '[') {
      depth++
      atKey = depth === 1
    } else if (character === '}' || character === ']') depth--
    else if (depth === 1 && character === ',') atKey = true
    else if (depth === 1 && character === ':') atKey = false
  }

  return {
    push(chunk) {
      let index = escaping === undefined ? 0 : throughEscape(chunk, 0)
      while (index < chunk.length) {
        if (inString) index = throughString(chunk, index)
        else structure(chunk[index++]!)
      }
    },
  }
}
