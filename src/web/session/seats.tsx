/** Whether all answers are shown whole: for reading through, and for the browser's own search. */

import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, createContext, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { type ModelErrorKind, wordingOf } from '../../core/basics.ts'
import type { Seat } from '../../core/opening.ts'
import type { Answer } from '../../core/question.ts'
import { valueText } from '../../core/reply.ts'
import { answerBefore, answerIn, type Round, seatOf } from '../../core/session.ts'
import { absenceOf, type Standing, standingsIn } from '../../count/moves.ts'
import { shownRound } from '../../count/verdict.ts'
import { readingLabel, roundName, wayText } from '../../words/moves.ts'
import {
  confidenceWords,
  draftState,
  outsideWaiting,
  rangeWords,
  sourceWords,
  spentParts,
} from '../../words/words.ts'
import { Button, CampMark } from '../kit/frame.tsx'
import { useDraft } from '../kit/live.ts'
import { Markdown } from '../kit/markdown.tsx'
import { AskedAgain, Failure, Headline, SeatTools, shortened, Way } from './headline.tsx'
import { CalmBody } from './live.tsx'
import { Citations, FoundPages, OwnWord, Points, showQuote } from './quotes.tsx'
import { fromMiddle, once, seatAnchor, useStage } from './stage.tsx'

const ExpandedContext = createContext(false)

export const ExpandedProvider = ExpandedContext.Provider
export const useExpanded = (): boolean => useContext(ExpandedContext)

export const ExpandButton = ({ expanded, onChange }: { expanded: boolean; onChange: () => void }) => (
  <Button kind="quiet" aria-pressed={expanded} onClick={onChange}>
    {expanded ? 'Fold all' : 'Expand all'}
  </Button>
)

// textView: A text that a seat wrote: the text is what readers came for, so it is shown whole.

export const TextView = ({ answer }: { answer: Answer }) => {
  const [copied, setCopied] = useState(false)
  const { text = '', language, reasoning } = answer
  const copy = async (): Promise<void> => {
    await navigator.clipboard?.writeText(text)
    setCopied(true)
  }
  return (
    <div className="mt-3">
      <div className="text-lg leading-relaxed">
        <Markdown text={text} language={language} />
      </div>
      <p className="mt-3 print:hidden">
        <Button kind="quiet" onClick={copy}>
          {copied ? 'Copied' : 'Copy the text'}
        </Button>
      </p>
      {reasoning.trim() !== '' && (
        <details className="mt-2">
          <summary className="text-sm font-medium text-soft">What it says about the text</summary>
          <div className="mt-2 leading-relaxed">
            <Markdown text={reasoning} language={language} />
          </div>
        </details>
      )}
    </div>
  )
}

// answerView: What a seat handed in for a round.

/** Long texts begin folded: fifty lines of one seat would hide the next. */
const longText = 420

export const Reasoning = ({
  text,
  language,
  open,
}: {
  text: string
  language?: string | null
  open: boolean
}) => {
  const [unfolded, setUnfolded] = useState(open)
  const expanded = useExpanded()
  const long = text.length > longText
  const folded = long && !unfolded && !open && !expanded
  if (text.trim() === '') return null
  return (
    <div className="mt-3 leading-relaxed">
      <Markdown text={folded ? shortened(text, longText) : text} language={language} />
      {long && !open && !expanded && (
        <button
          type="button"
          aria-expanded={!folded}
          onClick={() => setUnfolded(!unfolded)}
          className="mt-1 text-sm font-medium text-accent hover:underline"
        >
          {folded ? 'Show more' : 'Show less'}
        </button>
      )}
    </div>
  )
}

/** The headline is the bare choice: there is nothing to say twice. */
const saysOnly = (headline: string, value: string): boolean =>
  headline.trim().replace(/[.!]$/, '').toLowerCase() === value.trim().toLowerCase()

interface AnswerViewProps {
  readonly seat: string
  readonly round: Round
  readonly answer: Answer
  /** A reader was led here. */
  readonly open?: boolean
}

export const AnswerView = ({ seat, round, answer, open = false }: AnswerViewProps) => {
  const { session } = useStage()
  const last = answerBefore(session, round.index, seat)
  const before = last && last.headline !== answer.headline ? last.headline : undefined
  const { format } = session.question
  const value = format === 'open' || format === 'text' ? '' : valueText(session.question, answer)
  return (
    <div data-answer={`${seat}@${round.index}`} className="gap-10 @4xl:columns-2">
      {value && !saysOnly(answer.headline, value) && (
        <p className="mb-1 font-semibold wrap-anywhere">{value}</p>
      )}
      <Headline text={answer.headline} before={before} />
      {answer.reading && (
        <p className="mt-2 text-sm text-soft">
          <span className="font-medium">{readingLabel}: </span>
          <span className="said" dir="auto">
            {answer.reading}
          </span>
        </p>
      )}
      <OwnWord seat={seat} round={round} answer={answer} />
      {answer.text === undefined ? (
        <Reasoning text={answer.reasoning} language={answer.language} open={open} />
      ) : (
        <TextView answer={answer} />
      )}
      <Citations citations={answer.citations ?? []} />
      <FoundPages answer={answer} />
      <Points points={answer.points ?? []} round={round.index} />
      {answer.wouldChangeMind && (
        <p className="mt-3 text-sm text-soft">
          <span className="font-medium">Would change its mind: </span>
          <span className="said" dir="auto">
            {answer.wouldChangeMind}
          </span>
        </p>
      )}
      {answer.drifted && (
        <p className="mt-2 text-sm text-bad">It answered in another language than the question.</p>
      )}
    </div>
  )
}

// seatCard: One seat with all it said: the shown round first, earlier rounds folded below.

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
        {number !== undefined && <CampMark index={number} className="size-6" />}
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

// seatList: Every seat's answer, grouped by camp; of a large table, only the part on the screen is drawn.

/** Up to here the browser draws all of them easily, and its search finds words in all of them. */
const mostDrawn = 16

/** The key of the one group before there are camps. */
const everySeat = 'table'

interface SeatGroup {
  readonly key: string
  readonly number?: number
  readonly label: string
  readonly standings: readonly Standing[]
}

const absentLabels = {
  asked: 'Being asked',
  ungrouped: 'Answers, not grouped yet',
  silent: 'Silent',
  abstained: 'Abstained',
}

/** Seats without an answer come last, however many they are. */
const isAbsent = ({ key }: SeatGroup): boolean => key === 'silent' || key === 'abstained'

const groupsOf = (standings: readonly Standing[], imported: boolean, isText: boolean): SeatGroup[] => {
  const keyOf = (standing: Standing): string =>
    standing.number === undefined || imported ? (absenceOf(standing) ?? 'ungrouped') : String(standing.number)
  const groups = [...Map.groupBy(standings, keyOf)].map(([key, members]): SeatGroup => {
    const [first] = members
    if (first?.camp && !imported) {
      return { key, number: first.number, label: first.camp.label, standings: members }
    }
    const absence = (first && absenceOf(first)) ?? 'ungrouped'
    const answers = isText ? 'Texts' : imported ? 'Answers' : absentLabels[absence]
    const label =
      absence === 'ungrouped' || first?.handedIn?.status === 'given' ? answers : absentLabels[absence]
    return { key, label, standings: members }
  })
  return groups.toSorted(
    (one, other) =>
      Number(isAbsent(one)) - Number(isAbsent(other)) || other.standings.length - one.standings.length,
  )
}

/** While a round is being answered, seats keep their order: nothing may jump while somebody reads. */
const settled = (standings: readonly Standing[]): boolean => standings.every(standing => standing.handedIn)

/** How many stand in the group. Of all seats together, those that answered. */
const sizeWords = ({ key, standings }: SeatGroup, of: number): string => {
  if (key !== everySeat) return `${standings.length} of ${of}`
  return `${standings.filter(({ handedIn }) => handedIn?.status === 'given').length} of ${of} answered`
}

const GroupHead = ({ group, of }: { group: SeatGroup; of: number }) => (
  <h3 className="flex items-start gap-3 pt-2 pb-1">
    {group.number !== undefined && <CampMark index={group.number} className="mt-1 size-7" />}
    <span
      className={`said min-w-0 leading-snug font-semibold ${group.label.length > 90 ? 'text-base' : 'text-xl'}`}
      dir="auto"
    >
      {group.label}
    </span>
    <span className="shrink-0 pt-1 text-sm text-soft">{sizeWords(group, of)}</span>
  </h3>
)

const lastOfThree = ['', 'wide:*:last:col-span-3', 'wide:*:last:col-span-2']

/** The last row is filled: two thirds of the page beside one card would be empty. */
const columnsFor = (count: number): string => {
  if (count === 1) return ''
  if (count === 2) return 'lg:grid-cols-2'
  const odd = count % 2 === 1 ? 'lg:*:last:col-span-2' : ''
  return `lg:grid-cols-2 wide:grid-cols-3 ${odd} ${lastOfThree[count % 3] || 'wide:*:last:col-span-1'}`
}

const SmallList = ({ groups, of }: { groups: readonly SeatGroup[]; of: number }) => (
  <div className="flex flex-wrap gap-x-4 gap-y-8">
    {groups.map(group => (
      <section
        key={group.key}
        aria-label={group.label}
        className="min-w-0 basis-full lg:basis-[calc(var(--seats)*26rem)]"
        style={{ '--seats': group.standings.length, flexGrow: group.standings.length } as CSSProperties}
      >
        <GroupHead group={group} of={of} />
        <div className={`mt-3 grid items-start gap-4 ${columnsFor(group.standings.length)}`}>
          {group.standings.map(standing => (
            <SeatCard key={standing.seat.id} standing={standing} />
          ))}
        </div>
      </section>
    ))}
  </div>
)

const LargeList = ({ groups, of }: { groups: readonly SeatGroup[]; of: number }) => {
  const { revealed } = useStage()
  const list = useRef<HTMLDivElement>(null)
  const rows = useMemo(
    () =>
      groups.flatMap(group => [
        { group, standing: undefined },
        ...group.standings.map(standing => ({ group, standing })),
      ]),
    [groups],
  )
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => 220,
    overscan: 3,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: index => rows[index]?.standing?.seat.id ?? `group ${rows[index]?.group.key}`,
  })
  // A seat that is not drawn cannot be scrolled to by its card.
  useEffect(() => {
    if (!revealed || !isFirst(revealed)) return
    const index = rows.findIndex(row => row.standing !== undefined && row.standing.seat.id === revealed.seat)
    if (index >= 0) virtualizer.scrollToIndex(index, { align: 'center' })
  }, [revealed, rows, virtualizer])
  return (
    <div ref={list} className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(item => {
        const row = rows[item.index]
        return (
          row && (
            <div
              key={item.key}
              data-index={item.index}
              ref={virtualizer.measureElement}
              className="absolute top-0 left-0 w-full pb-4"
              style={{ transform: `translateY(${item.start - virtualizer.options.scrollMargin}px)` }}
            >
              {row.standing ? <SeatCard standing={row.standing} /> : <GroupHead group={row.group} of={of} />}
            </div>
          )
        )
      })}
    </div>
  )
}

export const SeatList = () => {
  const { session, numbers, calm } = useStage()
  const [byCamp, setByCamp] = useState(false)
  const groups = useMemo(() => {
    const standings = standingsIn(session, shownRound(session), numbers)
    if (!settled(standings) || (calm && !byCamp))
      return [{ key: everySeat, label: 'In the order of the seats', standings }]
    return groupsOf(standings, session.imported !== undefined, session.question.format === 'text')
  }, [session, numbers, calm, byCamp])
  const of = session.seats.length
  return (
    <>
      {calm && (
        <p className="min-h-10">
          {session.outcome && (
            <Button onClick={() => setByCamp(!byCamp)}>
              {byCamp ? 'In the order of the seats' : 'Group by camp'}
            </Button>
          )}
        </p>
      )}
      {of <= mostDrawn ? <SmallList groups={groups} of={of} /> : <LargeList groups={groups} of={of} />}
    </>
  )
}

/** What to press instead: the page has buttons for it. */
const ownAdvice: Partial<Record<ModelErrorKind, string>> = {
  timeout: 'Ask it again, or seat a faster model.',
  'wrong-key': 'Check the API key of this provider. The settings show which variable holds it.',
}

const adviceOf = (kind: ModelErrorKind, { outside }: Pick<Seat, 'outside'>): string =>
  outside ? 'Ask it again, and it has the same time once more.' : (ownAdvice[kind] ?? wordingOf(kind).advice)
