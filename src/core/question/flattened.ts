/** Texts as quotes are compared with them. */
import { normalForm } from './normal-form.ts'

/** Text without differences in quotation marks, dashes, emphasis and spacing. */
export const flattened = (text: string): string =>
  normalForm(text, 'NFKC')
    .replace(/[“”„«»"‘’‚]/g, "'")
    .replace(/[‐‑‒–—―−]/g, '-')
    .replace(/[*_`]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

/** Shorter quotes are found in nearly every text, so they prove nothing. */
export const shortestQuote = 8
