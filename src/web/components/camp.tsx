/** Camps in colour, pattern and number: never in colour alone. */
import { campFill, campPatterns } from '../../core/drawing/camp-patterns.ts'
import { Drawing } from './drawing.tsx'

export { campColour, campFill } from '../../core/drawing/camp-patterns.ts'

/** The patterns, once for the document; every drawing refers to them. */
export const CampPatterns = ({ count }: { count: number }) => (
  <svg width="0" height="0" className="absolute" aria-hidden="true">
    <Drawing shape={campPatterns(count)} />
  </svg>
)

/** A camp's swatch with its number; the label stands beside it as text. */
export const CampMark = ({ index, className = 'size-5' }: { index: number; className?: string }) => (
  <svg viewBox="0 0 20 20" className={`inline-block shrink-0 ${className}`} aria-hidden="true">
    <rect x="1" y="1" width="18" height="18" rx="5" fill={campFill(index)} />
    <circle cx="10" cy="10" r="6.2" fill="var(--surface)" />
    <text x="10" y="13.4" textAnchor="middle" fontSize="9.5" fontWeight="700" fill="var(--ink)">
      {index + 1}
    </text>
  </svg>
)
