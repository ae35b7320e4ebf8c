/**
 * Removes characters from the ends of a text. A pattern such as `/[. ]+$/` would start anew at each dot in the middle,
 * which takes time that grows with the square of the text.
 */

export const trimmedEnd = (text: string, characters: string): string => {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}

export const trimmed = (text: string, characters: string): string => {
  let start = 0
  while (start < text.length && characters.includes(text[start]!)) start++
  return trimmedEnd(text.slice(start), characters)
}
