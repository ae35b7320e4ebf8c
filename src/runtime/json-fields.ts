/**
 * Reads a JSON object while it is being written, and passes on the text of chosen string fields. A field of the objects
 * in a list is named with the list: `points.why`. It reads each character once, whatever the size of the chunks: parsing
 * the whole text again for every token would take time that grows with the square of its length.
 */

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

const quote = 34
const backslash = 92
/** The object itself, a list in it, and an object of that list. What is nested deeper is passed over. */
const deepest = 3

export interface JsonFields {
  push(chunk: string): void
}

export const jsonFields = (
  fields: readonly string[],
  emit: (field: string, text: string) => void,
  begin: (field: string) => void = () => {},
  end: (field: string) => void = () => {},
): JsonFields => {
  let depth = 0
  let inString = false
  /** An escape that isn't complete yet, without its backslash. Undefined outside of one. */
  let escaping: string | undefined
  let atKey = false
  /** By depth: the key that is open there, and whether there is an object. */
  const keys = ['', '', '', '']
  const isObject = [false, true, false, false]
  let isInList = false
  let field = ''
  let role: 'key' | 'value' | 'other' = 'other'
  const wanted = new Set(fields)
  /** Looked up in two steps: joining a long key with every short one in its list would read it again each time. */
  const inLists = Map.groupBy(
    fields.filter(name => name.includes('.')),
    name => name.slice(0, name.indexOf('.')),
  )

  const give = (text: string): void => {
    if (text === '') return
    if (role === 'key') keys[depth] += text
    else if (role === 'value') emit(field, text)
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
    if (role === 'value') end(field)
    return index + 1
  }

  const fieldHere = (): string | undefined => {
    if (depth === 1) return wanted.has(keys[1]!) ? keys[1] : undefined
    return inLists.get(keys[1]!)?.find(name => name.slice(keys[1]!.length + 1) === keys[deepest])
  }

  const startString = (): void => {
    inString = true
    role = 'other'
    if (depth > deepest || !isObject[depth]) return
    if (atKey) {
      role = 'key'
      keys[depth] = ''
      return
    }
    const found = fieldHere()
    if (found === undefined) return
    role = 'value'
    field = found
    begin(field)
  }

  const open = (object: boolean): void => {
    depth++
    if (depth > deepest) return
    if (depth === 2) isInList = !object
    isObject[depth] = depth === 1 || (depth === deepest && object && isInList)
    atKey = isObject[depth]!
  }

  const structure = (character: string): void => {
    if (character === '"' && depth > 0) startString()
    else if (character === '{' || character === '[') open(character === '{')
    else if (character === '}' || character === ']') depth = Math.max(0, depth - 1)
    else if (depth > deepest || !isObject[depth]) return
    else if (character === ',') atKey = true
    else if (character === ':') atKey = false
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
