/** A text as the part of a pattern that matches nothing but it. Node 22 has no `RegExp.escape`. */
export const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
