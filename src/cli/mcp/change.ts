/** What writing a file would change, in lines. The rest of it isn't shown: it may hold the keys of other servers. */

const linesOf = (text: string): string[] => (text.trim() === '' ? [] : text.trimEnd().split('\n'))

/** JSON needs a comma after what was the last entry: that alone is no change to tell. */
const bare = (line: string | undefined): string | undefined => line?.replace(/,$/, '')

const sharedStart = (one: readonly string[], other: readonly string[]): number => {
  const end = one.findIndex((line, index) => bare(line) !== bare(other[index]))
  return Math.min(end === -1 ? one.length : end, other.length)
}

/** Lines that go, then lines that come. */
export const changeBetween = (before: string, after: string): string[] => {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  const start = sharedStart(old, fresh)
  const end = sharedStart(old.slice(start).reverse(), fresh.slice(start).reverse())
  return [
    ...old.slice(start, old.length - end).map(line => `- ${line}`),
    ...fresh.slice(start, fresh.length - end).map(line => `+ ${line}`),
  ]
}
