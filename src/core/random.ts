/** Seeded randomness. The core never reads a clock or the system's randomness: both are handed in. */

/** A number that two equal texts share (FNV-1a, 32 bits). */
export const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return value >>> 0
}

/** A repeatable stream of numbers in [0, 1) for a name, such as `seed/round 1/seat s2` (mulberry32). */
export const randomFor = (name: string): (() => number) => {
  let state = hash(name)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** A new array in a repeatable order. */
export const shuffled = <T>(items: readonly T[], name: string): T[] => {
  const random = randomFor(name)
  const result = [...items]
  for (let index = result.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1))
    ;[result[index], result[other]] = [result[other]!, result[index]!]
  }
  return result
}

/**
 * 16 hexadecimal digits that a seat can't guess without the seed: the fence around text of others. All 64 bits follow
 * from the whole name (half of cyrb128): with a single 32-bit state, a seat could try all of them. More digits would only
 * be read three times in every prompt.
 */
export const nonceFor = (name: string): string => {
  let [one, two, three, four] = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a]
  for (let index = 0; index < name.length; index++) {
    const code = name.charCodeAt(index)
    one = two ^ Math.imul(one ^ code, 597399067)
    two = three ^ Math.imul(two ^ code, 2869860233)
    three = four ^ Math.imul(three ^ code, 951274213)
    four = one ^ Math.imul(four ^ code, 2716044179)
  }
  one = Math.imul(three ^ (one >>> 18), 597399067)
  two = Math.imul(four ^ (two >>> 22), 2869860233)
  return [one, two].map(part => (part >>> 0).toString(16).padStart(8, '0')).join('')
}
