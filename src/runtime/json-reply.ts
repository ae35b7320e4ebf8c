/** Finds the JSON object in a finished reply: alone, in a code fence, or between other words. */

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

export const jsonIn = (text: string): Record<string, unknown> | undefined => {
  const whole = parsed(text) ?? parsed(firstObject(text) ?? '')
  return typeof whole === 'object' && whole !== null && !Array.isArray(whole)
    ? (whole as Record<string, unknown>)
    : undefined
}
