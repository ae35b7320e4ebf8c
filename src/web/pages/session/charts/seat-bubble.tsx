/** One seat at the drawn table. */

import { absenceOf, type Standing } from '../../../../core/camps/standings.ts'
import type { Session } from '../../../../core/log/state.ts'
import { claimedChange, wayWords } from '../../../../core/wording/move-words.ts'
import { seatWords } from '../../../../core/wording/seat-words.ts'
import { CampMark, campColour, campFill } from '../../../components/camp.tsx'
import { useDraft } from '../../../live.ts'
import { useStage } from '../stage.ts'

interface SeatBubbleProps {
  readonly standing: Standing
  readonly point: { readonly x: number; readonly y: number }
  /** Of the drawing's width, in hundredths. */
  readonly size: number
  readonly named: boolean
}

/** What the seat did on its whole way. A transcript marks those who changed their mind, and says nothing of the others. */
export const wayText = ({ move, handedIn, changedIn }: Standing, session: Session): string | undefined => {
  if (!move || handedIn?.status !== 'given') return undefined
  if (session.imported) return move === 'switched' ? claimedChange : undefined
  return wayWords(session.question.format, move, changedIn)
}

/** What a screen reader says of the seat, and what the pointer shows. */
const described = (standing: Standing, writing: boolean, session: Session): string => {
  const { seat, camp, number } = standing
  const where = camp ? `camp ${(number ?? 0) + 1}, ${camp.label}` : undefined
  const state = {
    silent: seatWords.silent,
    abstained: seatWords.abstained,
    ungrouped: seatWords.answered,
    asked: writing ? seatWords.writing : seatWords.waiting,
  }
  const absence = absenceOf(standing)
  const moved = wayText(standing, session)
  return [`${seat.alias}, ${seat.name}`, where ?? (absence && state[absence]), moved]
    .filter(Boolean)
    .join(': ')
}

/** A seat that is thinking again still shows where it stood. One that has answered since may stand elsewhere. */
const hollowEdge = ({ before, handedIn }: Standing): { stroke: string; strokeWidth: number } =>
  before === undefined || handedIn
    ? { stroke: 'var(--edge)', strokeWidth: 2 }
    : { stroke: campColour(before), strokeWidth: 3.5 }

const Disc = ({ standing, writing }: { standing: Standing; writing: boolean }) => {
  const absence = absenceOf(standing)
  const hollow = absence !== undefined
  return (
    <svg viewBox="0 0 40 40" className="size-full overflow-visible" aria-hidden="true">
      {writing && (
        <circle
          cx="20"
          cy="20"
          r="21.5"
          fill="none"
          stroke="var(--accent)"
          strokeWidth="2"
          className="breathing"
        />
      )}
      <circle
        cx="20"
        cy="20"
        r="18.5"
        fill={standing.number === undefined ? 'var(--surface)' : campFill(standing.number)}
        {...(hollow ? hollowEdge(standing) : { stroke: 'none' })}
        {...(absence === 'silent' && { stroke: 'var(--bad)' })}
        strokeDasharray={absence === 'silent' || absence === 'asked' ? '4 3.2' : undefined}
      />
      {!hollow && <circle cx="20" cy="20" r="11.5" fill="var(--surface)" />}
      <text
        x="20"
        y="25"
        textAnchor="middle"
        fontSize={standing.seat.alias.length > 1 ? 11 : 14}
        fontWeight="700"
        fill={absence === 'silent' ? 'var(--bad)' : 'var(--ink)'}
      >
        {standing.seat.alias}
      </text>
    </svg>
  )
}

/** The name of a seat beside the table begins or ends at its edge: the table's own line would run through it. */
const nameSide = ({ x, y }: SeatBubbleProps['point']): string => {
  if (Math.abs(y - 50) > 10) return 'left-1/2 w-[clamp(4.6rem,26cqw,8rem)] -translate-x-1/2 text-center'
  return `w-[21cqw] ${x < 50 ? 'right-0 text-right' : 'left-0'}`
}

export const SeatBubble = ({ standing, point, size, named }: SeatBubbleProps) => {
  const { session, live, atEnd, reveal } = useStage()
  const draft = useDraft(live, standing.seat.id)
  const writing = atEnd && draft !== undefined && !standing.handedIn
  const words = described(standing, writing, session)
  return (
    <li
      className="absolute -translate-x-1/2 -translate-y-1/2"
      style={{ left: `${point.x}%`, top: `${point.y}%`, width: `${size}%` }}
    >
      <button
        type="button"
        title={words}
        onClick={() => reveal(standing.seat.id)}
        className="relative block aspect-square w-full rounded-full transition-transform hover:scale-110"
      >
        <span className="sr-only">{words}</span>
        <Disc standing={standing} writing={writing} />
        {named && standing.number !== undefined && (
          <CampMark index={standing.number} className="absolute -right-1.5 -bottom-1 size-[38%]" />
        )}
        {named && standing.changedIn.length > 0 && (
          <span
            aria-hidden="true"
            className="absolute -top-1 -right-1.5 grid size-[38%] place-items-center rounded-full bg-ink text-[.65rem] leading-none text-paper"
          >
            ↷
          </span>
        )}
      </button>
      {named && (
        <span
          aria-hidden="true"
          className={`absolute ${nameSide(point)} ${point.y < 45 ? 'bottom-full mb-1.5' : 'top-full mt-1.5'} text-[clamp(.68rem,2.9cqw,.8rem)] leading-tight line-clamp-2 wrap-anywhere text-soft`}
        >
          {standing.seat.name}
        </span>
      )}
    </li>
  )
}
