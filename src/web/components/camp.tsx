/** Camps in colour, pattern and number: never in colour alone. */

const colours = 8
/** Strokes over the camp's colour, in a tile of 8 by 8; the first camp is plain. */
const strokes = [
  '',
  'M-2 2 L2 -2 M0 8 L8 0 M6 10 L10 6',
  'M2 2 h.01 M6 6 h.01',
  'M0 2 H8 M0 6 H8',
  'M-2 6 L2 10 M0 0 L8 8 M6 -2 L10 2',
  'M2 0 V8 M6 0 V8',
  'M0 4 H8 M4 0 V8',
] as const

export const campColour = (index: number): string => `var(--camp-${index % colours})`

/** What to fill a shape of this camp with. */
export const campFill = (index: number): string => `url(#camp-${index % (colours * strokes.length)})`

/** The patterns, once for the document; every drawing refers to them. */
export const CampPatterns = ({ count }: { count: number }) => (
  <svg width="0" height="0" className="absolute" aria-hidden="true">
    <defs>
      {Array.from({ length: Math.min(count, colours * strokes.length) }, (_, index) => (
        <pattern key={index} id={`camp-${index}`} width="8" height="8" patternUnits="userSpaceOnUse">
          <rect width="8" height="8" fill={campColour(index)} />
          <path
            d={strokes[index % strokes.length]}
            stroke="var(--surface)"
            strokeOpacity=".55"
            strokeWidth={index % strokes.length === 2 ? 2.6 : 1.6}
            strokeLinecap={index % strokes.length === 2 ? 'round' : 'butt'}
            fill="none"
          />
        </pattern>
      ))}
    </defs>
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
