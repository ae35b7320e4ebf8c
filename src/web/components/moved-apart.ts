/** Labels of a drawing, moved apart just as far as needed so that they don't overlap. */

/** From top to bottom; none below `lowest` as long as there is room above. */
export const movedApart = <Label extends { readonly y: number }>(
  labels: readonly Label[],
  gap: number,
  lowest = Number.POSITIVE_INFINITY,
): Label[] => {
  const placed: Label[] = []
  for (const label of labels.toSorted((one, other) => one.y - other.y))
    placed.push({ ...label, y: Math.max(label.y, (placed.at(-1)?.y ?? Number.NEGATIVE_INFINITY) + gap) })
  let below = lowest + gap
  return placed
    .toReversed()
    .map(label => {
      below = Math.min(label.y, below - gap)
      return { ...label, y: below }
    })
    .toReversed()
}
