/** "large majority" as "Large majority", for a badge or the beginning of a line. */
export const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
