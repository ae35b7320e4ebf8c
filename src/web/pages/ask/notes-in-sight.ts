/** How many notes of an estimate are in sight without a click. */

/** Characters that fit into the bar of a phone. */
const room = 140

/** Whole notes only: half a sentence says nothing, or the opposite. The first is always in sight. */
export const notesInSight = (notes: readonly string[]): number => {
  let length = 0
  const first = notes.findIndex((note, index) => {
    length += note.length
    return index > 0 && length > room
  })
  return first < 0 ? notes.length : first
}
