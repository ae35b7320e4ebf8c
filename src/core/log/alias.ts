/** The letter of a seat by its place at the table: A, B, … Z, AA, AB, … */
export const aliasFor = (index: number): string => {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : aliasFor(Math.floor(index / 26) - 1) + letter
}
