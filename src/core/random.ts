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

/** Sixteen hexadecimal digits that a seat cannot guess without the seed: the fence around peer text. */
export const nonceFor = (name: string): string => {
  const random = randomFor(`nonce ${name}`)
  return Array.from({ length: 16 }, () => Math.floor(random() * 16).toString(16)).join('')
}
