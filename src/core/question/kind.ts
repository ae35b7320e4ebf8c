/** What kind of question was asked: whether there is a right answer to it, and what a verdict on it can mean. */
import { UsageError } from '../errors.ts'
import type { Format } from './question.ts'

export const kinds = ['fact', 'estimate', 'judgement', 'taste', 'text'] as const
export type Kind = (typeof kinds)[number]

/** What each kind means, for the moderator that tells them apart and for people who correct it. */
export const kindWords: Readonly<Record<Kind, string>> = {
  fact: 'one answer is right, and it can be looked up, proved or checked; an order of measured things belongs here',
  estimate: 'a number or a likelihood that could be measured, now or later',
  judgement:
    'what to do or to think: reasons can be better or worse, and no source settles it, or the evidence is mixed',
  taste: 'what one likes or values: nobody can be wrong',
  text: 'something is to be written',
}

/** The format says it for these. */
const kindByFormat: Readonly<Partial<Record<Format, Kind>>> = { number: 'estimate', text: 'text' }

/** Only a text is of the kind text. Throws UsageError for anything else. */
export const checkKind = (kind: Kind, format: Format): Kind => {
  if (kindsFor(format).includes(kind)) return kind
  throw new UsageError(`A question of the format ${format} can't be of the kind ${kind}.`)
}

interface Asked {
  readonly question: { readonly format: Format }
  /** As a person says. */
  readonly kind?: Kind | undefined
  /** As the moderator says; null: it couldn't say. */
  readonly kindFound?: Kind | null | undefined
}

/** A person's word counts before the format's, and that before the moderator's. Undefined: nobody has said it. */
export const kindOf = ({ question, kind, kindFound }: Asked): Kind | undefined =>
  kind ?? kindByFormat[question.format] ?? kindFound ?? undefined

export const kindSources = ['asker', 'format', 'moderator'] as const
export type KindSource = (typeof kindSources)[number]

/** Who says what kind of question it is. Undefined: nobody. */
const saidBy = (session: Asked): KindSource | undefined => {
  if (session.kind) return 'asker'
  if (kindByFormat[session.question.format]) return 'format'
  return session.kindFound ? 'moderator' : undefined
}

/** What kind of question it is, and who says so. Undefined: nobody has said it. */
export const kindSaid = (session: Asked): { readonly kind: Kind; readonly by: KindSource } | undefined => {
  const [kind, by] = [kindOf(session), saidBy(session)]
  return kind && by && { kind, by }
}

/** The kinds that a question of this format can be of. */
export const kindsFor = (format: Format): Kind[] =>
  kinds.filter(kind => (kind === 'text') === (format === 'text'))

/** Whether a fact decides it. If nobody knows the kind, one may. */
export const canBeSettled = (session: Asked): boolean => {
  const kind = kindOf(session)
  return kind === undefined || kind === 'fact' || kind === 'estimate'
}

/** Whether seats vote on which answer is true: what recorded debates say something about. */
export const isVoteOnFact = (session: Asked): boolean =>
  kindOf(session) === 'fact' && ['choice', 'open'].includes(session.question.format)

/** Whether anything can show that an answer was right. If nobody knows the kind, it may. */
export const canBeRight = (session: Asked): boolean => {
  const kind = kindOf(session)
  return kind !== 'taste' && kind !== 'text'
}
