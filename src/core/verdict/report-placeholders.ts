/**
 * Placeholders of a report. The moderator leaves counts and lists of seats to them, and code fills them in: a model
 * that counts for itself gets it wrong. They hold only figures and names, so they read well in any language.
 */
import { type Session, seatOf } from '../log/state.ts'
import { figureText } from '../wording/figure-words.ts'
import { seatLabel } from '../wording/mask.ts'
import { decidingTally, type Verdict, verdictOf } from './verdict.ts'

interface Placeholder {
  readonly name: string
  /** What the moderator is told about it. */
  readonly means: string
  /** Why it can't be used if there is nothing to fill in. */
  readonly otherwise: string
  /** Null: there is nothing to fill in. */
  fill(session: Session, verdict: Verdict): string | null
}

/** A sentence with more names than this can't be read, so it gets a figure instead. */
const mostNames = 8

const isEnglish = ({ language }: Session): boolean => (language ?? 'en') === 'en'

/** "4 of 6", and "4/6" in other languages. */
const share = (session: Session, part: number): string =>
  `${part}${isEnglish(session) ? ' of ' : '/'}${session.seats.length}`

/** By letters, as in the rest of the report: `withNames` turns all of them into names. */
const seatList = (session: Session, seats: readonly string[]): string | null => {
  if (seats.length === 0) return null
  if (seats.length > mostNames) return share(session, seats.length)
  const labels = seats.map(seat => seatLabel(seatOf(session, seat)))
  return new Intl.ListFormat(session.language ?? 'en', { type: 'conjunction' }).format(labels)
}

const leadingPosition = (session: Session, verdict: Verdict): string | null => {
  const camp = decidingTally(verdict)?.camps.find(({ id }) => id === verdict.leading)
  if (!camp) return null
  const { format, unit } = session.question
  const figure = decidingTally(verdict)?.figure
  if (format === 'number' && figure) return `“${figureText(figure, unit)}”`
  const words = format === 'open' ? camp.headline : camp.label
  return `“${words.trim().replace(/\.$/, '')}”`
}

const absentSeats = (verdict: Verdict): string[] => {
  const tally = decidingTally(verdict)
  return tally ? [...tally.silent, ...tally.abstained] : []
}

const movedSeats = ({ ledger }: Verdict): string[] => [...new Set(ledger.map(({ seat }) => seat))]

const placeholders: readonly Placeholder[] = [
  {
    name: 'agreement',
    means: 'how many of all seats agree, as in "4 of 6"',
    otherwise: 'no position leads',
    fill: (session, { agree, leading }) => (leading === null ? null : share(session, agree)),
  },
  {
    name: 'leading',
    means: 'the leading position, in quotation marks',
    otherwise: 'no position leads',
    fill: leadingPosition,
  },
  {
    name: 'dissent',
    means: 'the seats that dissent',
    otherwise: 'nobody dissents',
    fill: (session, { dissent }) => seatList(session, dissent),
  },
  {
    name: 'moved',
    means: 'the seats that changed their mind',
    otherwise: 'nobody changed its mind',
    fill: (session, verdict) => seatList(session, movedSeats(verdict)),
  },
  {
    name: 'absent',
    means: 'the seats that gave no answer',
    otherwise: 'every seat answered',
    fill: (session, verdict) => seatList(session, absentSeats(verdict)),
  },
]

/** Those that can be filled in, one a line, as the moderator reads them. */
export const placeholderLines = (session: Session): string[] =>
  placeholders
    .filter(one => one.fill(session, verdictOf(session)) !== null)
    .map(({ name, means }) => `{${name}}: ${means}`)

/** Each use is filled in, so a text of nothing but placeholders would grow many times over. */
const mostUses = 50

/** A word in braces. Braces in code and in formulas such as \frac{a}{b} belong to the text. */
const pattern = /`[^`]*`|(?<![\\\w^_}$])\{{1,2}(\p{L}{3,})\}{1,2}/gu

/** What is wrong with the placeholders of a text, in words. Empty if all of them can be filled in. */
export const placeholderProblems = (session: Session, text: string): string[] => {
  const names = [...text.matchAll(pattern)].flatMap(([, name]) => name?.toLowerCase() ?? [])
  if (names.length > mostUses) return [`there are more than ${mostUses} placeholders`]
  const used = new Set(names)
  return [...used].flatMap(name => {
    const known = placeholders.find(one => one.name === name)
    if (!known) return [`{${name}} isn't a placeholder`]
    return known.fill(session, verdictOf(session)) === null
      ? [`{${name}} can't be used, because ${known.otherwise}`]
      : []
  })
}

/** For a report that is still being written: a placeholder that can't be filled in yet is left out. */
export const withKnownCounts = (session: Session, text: string): string =>
  withCounts(session, text).replace(pattern, (found, name: string | undefined) => (name ? '…' : found))

/** The text with its placeholders filled in. `instead` has values to use for some of them. */
export const withCounts = (
  session: Session,
  text: string,
  instead: Readonly<Record<string, string>> = {},
): string =>
  text.replace(pattern, (found, name: string | undefined) => {
    const known = placeholders.find(one => one.name === name?.toLowerCase())
    return (known && (instead[known.name] ?? known.fill(session, verdictOf(session)))) ?? found
  })
