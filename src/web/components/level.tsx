/** How much a table agrees, in a shape and a colour of its own. Neither is a camp's. */
import { levelColour } from '../../core/drawing/level-colour.ts'
import type { Level } from '../../core/verdict/tally.ts'
import { levelTitle } from '../../core/wording/level-words.ts'

export { levelColour }

/** A piece of a disc that begins at the top, as a share of the whole. */
const slice = (share: number): string => {
  const angle = share * 2 * Math.PI
  const [x, y] = [10 + 8 * Math.sin(angle), 10 - 8 * Math.cos(angle)]
  return `M10 10 L10 2 A8 8 0 ${share > 0.5 ? 1 : 0} 1 ${x.toFixed(2)} ${y.toFixed(2)}Z`
}

const disc = 'M10 2a8 8 0 1 1 0 16a8 8 0 1 1 0-16Z'

/** A whole, a whole with a hole, slices of it, two halves, three pieces, and an empty circle. */
const shapes: Record<Level, string> = {
  unanimous: disc,
  'unanimous-with-caveats': `${disc}M13 5.2a1.8 1.8 0 1 0 0 3.6a1.8 1.8 0 1 0 0-3.6Z`,
  supermajority: slice(5 / 6),
  majority: slice(0.6),
  plurality: slice(0.36),
  tie: 'M9 2.1a8 8 0 0 0 0 15.8ZM11 2.1a8 8 0 0 1 0 15.8Z',
  split:
    'M10 1.6a3.6 3.6 0 1 1 0 7.2a3.6 3.6 0 1 1 0-7.2ZM5 10.6a3.6 3.6 0 1 1 0 7.2a3.6 3.6 0 1 1 0-7.2ZM15 10.6a3.6 3.6 0 1 1 0 7.2a3.6 3.6 0 1 1 0-7.2Z',
  'no-quorum': '',
}

/** Their missing part is drawn, too. */
const slices: readonly Level[] = ['supermajority', 'majority', 'plurality']

export const LevelMark = ({ level, className = 'size-4' }: { level: Level; className?: string }) => (
  <svg viewBox="0 0 20 20" className={`inline-block shrink-0 ${className}`} aria-hidden="true">
    {shapes[level] === '' ? (
      <circle
        cx="10"
        cy="10"
        r="7"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeDasharray="3 2.5"
      />
    ) : (
      <>
        {slices.includes(level) && (
          <circle cx="10" cy="10" r="8" fill="none" stroke="currentColor" strokeWidth="1.5" />
        )}
        <path d={shapes[level]} fill="currentColor" fillRule="evenodd" />
      </>
    )}
  </svg>
)

/** "◕ Large majority", or other words for why there is no verdict; `alone` if the table has one seat. */
export const LevelBadge = ({
  level,
  alone,
  words,
}: {
  level: Level
  alone: boolean
  words?: string | undefined
}) => (
  <span
    className="inline-flex items-center gap-2 rounded-full px-3 py-1 text-sm font-semibold"
    style={{ background: levelColour(level), color: 'var(--on-level)' }}
  >
    <LevelMark level={level} />
    {words ?? levelTitle(level, alone)}
  </span>
)
