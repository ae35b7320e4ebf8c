/** Finds the JSON object in a finished reply: alone, in a code fence, or between other words. */

/** Several times what a model may write. More is refused, so that nobody has to store, read or show it. */
export const longestReply = 200_000

/** The first balanced `{…}`. Braces inside strings don't count. */
const firstObject = (text: string): string | undefined => {
  const start = text.indexOf('{')
  if (start < 0) return undefined
  let depth = 0
  let inString = false
  for (let index = start; index < text.length; index++) {
    const character = text[index]
    if (inString) {
      if (character === '\\') index++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return text.slice(start, index + 1)
  }
  return undefined
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Deeper nesting is hostile or broken, and would overflow the stack of whatever reads it. */
const deepest = 20

const isDeep = (value: unknown, levels = deepest): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some(one => isDeep(one, levels - 1)))

/** Undefined if there is none that can be read. */
export const jsonIn = (text: string): Record<string, unknown> | undefined => {
  const whole = parsed(text) ?? parsed(firstObject(text) ?? '')
  return typeof whole === 'object' && whole !== null && !Array.isArray(whole) && !isDeep(whole)
    ? (whole as Record<string, unknown>)
    : undefined
}
