/** One seat with all it said: the shown round first, earlier rounds folded below. */
import { useEffect, useRef } from 'react'
import type { Standing } from '../../../../core/camps/standings.ts'
import { answerIn, seatOf } from '../../../../core/log/state.ts'
import { shownRound } from '../../../../core/verdict/verdict.ts'
import { draftState } from '../../../../core/wording/draft-words.ts'
import { confidenceWords, rangeWords } from '../../../../core/wording/handed-in.ts'
import { outsideWaiting, sourceWords } from '../../../../core/wording/outside-words.ts'
import { roundName } from '../../../../core/wording/round-names.ts'
import { spentParts } from '../../../../core/wording/spent-words.ts'
import { Button } from '../../../components/button.tsx'
import { CampMark } from '../../../components/camp.tsx'
import { Markdown } from '../../../components/markdown.tsx'
import { useDraft } from '../../../live.ts'
import { wayText } from '../charts/seat-bubble.tsx'
import { CalmBody } from '../live/calm-body.tsx'
import { once, useStage } from '../stage.ts'
import { adviceOf, fromMiddle } from '../wording.ts'
import { AnswerView } from './answer-view.tsx'
import { useExpanded } from './expanded.tsx'
import { AskedAgain, Failure } from './failure.tsx'
import { showQuote } from './quote.ts'
import { SeatTools, seatAnchor } from './seat-tools.tsx'
import { Way } from './way.tsx'

const Spent = ({ standing }: { standing: Standing }) => {
  const parts = standing.handedIn ? spentParts(standing.handedIn) : []
  return parts.length > 0 && <span className="text-sm text-soft tabular-nums">{parts.join(' · ')}</span>
}

const Confidence = ({ value }: { value: number }) => (
  <span className="inline-flex items-center gap-1.5 text-sm text-soft" title="How sure it says it is">
    <svg viewBox="0 0 40 6" className="h-1.5 w-10" aria-hidden="true">
      <rect width="40" height="6" rx="3" fill="var(--shade)" />
      <rect width={40 * value} height="6" rx="3" fill="var(--soft)" />
    </svg>
    {confidenceWords(value)}
  </span>
)

const Head = ({ standing }: { standing: Standing }) => {
  const { session, calm } = useStage()
  const { seat, number, handedIn, camp } = standing
  // Alone in its camp, it agrees with nobody.
  const qualified = standing.qualified && (camp?.seats.length ?? 0) > 1
  const way = wayText(standing, session)
  const answer = handedIn?.status === 'given' ? handedIn.answer : undefined
  const confidence = answer?.confidence ?? null
  const range = answer && rangeWords(session.question, answer)
  return (
    <header>
      <div className="flex items-start gap-2.5">
        <span className="grid size-7 shrink-0 place-items-center rounded-full border border-edge text-sm font-bold">
          {seat.alias}
        </span>
        <div className="min-w-0 grow">
          <h4 className="leading-tight font-semibold wrap-anywhere">{handedIn?.by?.name ?? seat.name}</h4>
          <p className="text-sm break-all text-soft">
            {handedIn?.by?.model ?? sourceWords(seat)}
            {seat.brief && ` · ${seat.brief}`}
          </p>
        </div>
        {number !== undefined && !session.imported && <CampMark index={number} className="size-6" />}
      </div>
      <p
        className={`mt-2 flex flex-wrap content-start items-center gap-x-3 gap-y-1 ${calm ? 'h-12 overflow-hidden' : ''}`}
      >
        {way && (
          <span
            className={`text-sm font-medium ${standing.changedIn.length > 0 ? 'text-accent' : 'text-soft'}`}
          >
            {standing.changedIn.length > 0 && '↷ '}
            {way}
          </span>
        )}
        <Way standing={standing} />
        {qualified && <span className="text-sm font-medium text-soft">agrees with a caveat</span>}
        {range && <span className="text-sm text-soft tabular-nums">{range}</span>}
        {confidence !== null && <Confidence value={confidence} />}
        <Spent standing={standing} />
      </p>
    </header>
  )
}

const doing: Record<ReturnType<typeof draftState>, string> = {
  thinking: 'Thinking…',
  weighing: 'Weighing the points of others…',
  writing: 'Writing…',
  retrying: 'Asked again…',
}

/** Others' points, a line each, as the seat weighs them. */
const Weighed = ({ points }: { points: string }) => (
  <ul className="said mt-2 space-y-1 border-l-3 border-line pl-3 text-sm text-soft">
    {fromMiddle(points)
      .split('\n')
      .map((point, index) => (
        <li key={index} dir="auto" className="wrap-anywhere">
          {point}
        </li>
      ))}
  </ul>
)

/** The part that is being written now, as far as a card of a fixed height can show it. */
const longestTail = 320
const tailOf = (text: string): string =>
  text.length <= longestTail ? fromMiddle(text) : `… ${text.slice(-longestTail).replace(/^\S*\s/, '')}`

const Writing = ({ seat }: { seat: string }) => {
  const { live, session, atEnd, calm } = useStage()
  const shown = calm ? tailOf : fromMiddle
  const known = useDraft(live, seat)
  const draft = atEnd ? known : undefined
  if (session.outcome) return <p className="text-soft">It was not asked in this round.</p>
  const holder = seatOf(session, seat)
  if (holder.outside) return <p className="text-soft">{outsideWaiting(holder)}</p>
  if (draft?.retrying) return <AskedAgain {...draft.retrying} />
  return (
    <div aria-busy="true">
      <p className="said min-h-[1.4em] text-lg leading-snug font-semibold" dir="auto">
        {draft?.headline ? (
          fromMiddle(draft.headline)
        ) : (
          <span className="text-soft">{doing[draft ? draftState(draft) : 'thinking']}</span>
        )}
      </p>
      {draft?.points && <Weighed points={calm ? tailOf(draft.points) : draft.points} />}
      {draft?.reasoning && (
        <div className="mt-3 leading-relaxed">
          <Markdown text={shown(draft.reasoning)} />
        </div>
      )}
      {draft?.text && (
        <div className="mt-3 border-t border-line pt-3 leading-relaxed">
          <Markdown text={shown(draft.text)} />
        </div>
      )}
      {draft && draftState(draft) === 'thinking' && draft.thinking && (
        <p className="said mt-2 line-clamp-3 text-sm text-soft italic">{draft.thinking.slice(-280)}</p>
      )}
    </div>
  )
}

const Silent = ({ standing }: { standing: Standing }) => {
  const { may, retry, replace, session } = useStage()
  if (standing.handedIn?.status !== 'silent') return null
  const { error } = standing.handedIn
  return (
    <div>
      <Failure what="Silent" error={error} />
      {!session.imported && <p className="mt-2 text-sm text-soft">{adviceOf(error.kind, standing.seat)}</p>}
      {may('change-session') && !session.imported && (
        <p className="mt-3 flex gap-2">
          <Button onClick={() => retry(standing.seat.id)}>
            {standing.seat.person ? 'Ask again, with the whole time' : 'Ask it again'}
          </Button>
          {!standing.seat.person && (
            <Button onClick={() => replace(standing.seat.id)}>Seat another model</Button>
          )}
        </p>
      )}
    </div>
  )
}

const Body = ({ standing, open }: { standing: Standing; open: boolean }) => {
  const { session } = useStage()
  const round = shownRound(session)
  const { handedIn, seat } = standing
  if (!handedIn || !round) return <Writing seat={seat.id} />
  switch (handedIn.status) {
    case 'given':
      return <AnswerView seat={seat.id} round={round} answer={handedIn.answer} open={open} />
    case 'silent':
      return <Silent standing={standing} />
    case 'abstained':
      return (
        <div>
          <p className="font-semibold">Abstained</p>
          <blockquote className="said mt-1" dir="auto">
            {handedIn.words}
          </blockquote>
        </div>
      )
    default:
      return handedIn satisfies never
  }
}

/** A reader is led to a card once: it is drawn anew when the table is grouped, and must not scroll again then. */
const isFirst = once()

export const SeatCard = ({ standing }: { standing: Standing }) => {
  const { session, revealed, calm } = useStage()
  const expanded = useExpanded()
  const element = useRef<HTMLElement>(null)
  const { id } = standing.seat
  const wanted = revealed?.seat === id ? revealed : undefined
  const last = shownRound(session)?.index
  const earlier = session.roundsSoFar.filter(round => round.index !== last && answerIn(round, id))
  const inEarlier = wanted?.round !== undefined && wanted.round !== last
  useEffect(() => {
    if (!wanted || !element.current || !isFirst(wanted)) return
    const target = wanted.round === undefined ? id : `${id}@${wanted.round}`
    element.current.focus({ preventScroll: true })
    showQuote(
      element.current.querySelector(`[data-answer="${CSS.escape(target)}"]`) ?? element.current,
      wanted.quote,
    )
  }, [wanted, id])
  return (
    <article
      ref={element}
      id={seatAnchor(standing.seat)}
      tabIndex={-1}
      aria-label={standing.seat.name}
      className={`card @container min-w-0 p-4 transition-shadow sm:p-5 ${wanted ? 'ring-2 ring-accent' : ''}`}
    >
      <Head standing={standing} />
      <CalmBody open={wanted !== undefined || expanded}>
        <Body standing={standing} open={calm || (wanted !== undefined && !inEarlier)} />
        {standing.handedIn?.status === 'given' && (
          <SeatTools
            seat={standing.seat}
            name={standing.handedIn.by?.name ?? standing.seat.name}
            answer={standing.handedIn.answer}
          />
        )}
        {earlier.length > 0 && (
          <details className="mt-4 border-t border-line pt-3" open={inEarlier || expanded || undefined}>
            <summary className="text-sm font-medium text-soft">
              {earlier.some(round => round.index > (last ?? 0)) ? 'Its other answers' : 'Its earlier answers'}
            </summary>
            {earlier.toReversed().map(round => {
              const answer = answerIn(round, id)
              return (
                answer && (
                  <div key={round.index} className="mt-3">
                    <h5 className="label mb-1">
                      {roundName(round)}
                      {round.index > (last ?? 0) && ', not counted'}
                    </h5>
                    <AnswerView
                      seat={id}
                      round={round}
                      answer={answer}
                      open={wanted?.round === round.index}
                    />
                  </div>
                )
              )
            })}
          </details>
        )}
      </CalmBody>
    </article>
  )
}
