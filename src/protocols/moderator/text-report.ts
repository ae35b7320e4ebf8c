/**
 * The report on texts: the common thread, and what each text has that no other has. Nothing is counted as agreement,
 * and what a text is said to have is looked up in it.
 */

import { z } from 'zod'
import { groupingOf } from '../../core/camps/camps.ts'
import type { Happening } from '../../core/log/event.ts'
import { answerIn, roundAt, type Session, seatOf } from '../../core/log/state.ts'
import { quotesOf } from '../../core/question/answer.ts'
import { shapeOf } from '../../core/question/form.ts'
import { verdictOf } from '../../core/verdict/verdict.ts'
import { maskFor, seatLabel, withNames } from '../../core/wording/mask.ts'
import { rewrittenIn } from '../../core/wording/text-words.ts'
import { askerLines } from '../asker-words.ts'
import { cut, fenced, inLanguage, questionPart } from '../prompt-parts.ts'
import type { Prompt } from '../protocol.ts'
import { moderatorSystem } from './system.ts'

const replySchema = z.object({
  common: z
    .string()
    .describe('The thread that runs through the texts, in two or three sentences. If there is none, say so.'),
  each: z
    .array(
      z.object({
        seat: z.string().describe('The letter of the seat.'),
        only: z.string().describe('What its text has that no other has, in one sentence.'),
        quote: z
          .string()
          .describe('Words of its text that show it, copied letter by letter, at most 25 of them.'),
      }),
    )
    .describe('One entry for each text.'),
})

const shape = shapeOf('report', replySchema)

/** At a larger table only these many texts must be named: those that have the most of their own. */
const mostNamed = 12
/** Characters of all texts together. Beyond that each is cut to its share. */
const mostRead = 240_000

interface Written {
  readonly seat: string
  readonly letter: string
  readonly headline: string
  readonly text: string
  /** Whether these words stand in the text. */
  has(quote: string): boolean
}

/** The texts that count: those of the last round that is closed. */
const textsOf = (session: Session): Written[] => {
  const round = roundAt(session, verdictOf(session).final?.round ?? -1)
  const mask = maskFor(session)
  return session.seats.flatMap(({ id, alias }) => {
    const answer = answerIn(round, id)
    if (!answer) return []
    const { headline, text = '' } = answer
    return [{ seat: id, letter: alias, headline, text, has: quotesOf([text, mask(text)]) }]
  })
}

const facts = (session: Session, texts: readonly Written[]): string[] => {
  const mask = maskFor(session)
  const { final, line } = verdictOf(session)
  const round = roundAt(session, final?.round ?? -1)
  const share = Math.floor(mostRead / Math.max(1, texts.length))
  const camps = round ? groupingOf(session, round).camps : []
  return [
    JSON.stringify({ counted: mask(line) }),
    ...texts.map(({ letter, headline, text }) =>
      JSON.stringify({ seat: letter, headline: mask(headline), text: cut(mask(text), share) }),
    ),
    ...camps.map(camp =>
      JSON.stringify({
        intent: mask(camp.label),
        seats: camp.seats.map(id => seatLabel(seatOf(session, id))),
      }),
    ),
    ...askerLines(session, Number.POSITIVE_INFINITY),
    ...(final && rewrittenIn(session, final.round).length > 0
      ? [
          JSON.stringify({
            rewritten: rewrittenIn(session, final.round).map(id => seatLabel(seatOf(session, id))),
          }),
        ]
      : []),
  ]
}

const prompt = (session: Session): Prompt => {
  const texts = textsOf(session)
  const whose =
    texts.length > mostNamed
      ? `for the ${mostNamed} texts that have the most of their own`
      : 'for each text, none left out'
  return {
    system: moderatorSystem,
    user: [
      questionPart(session),
      fenced(session, 'report', facts(session, texts)),
      [
        'The seats each wrote a text. They are not a vote: say neither who is right nor who wrote best.',
        'First give the common thread: what runs through these texts, or through most of them, in plain words.',
        `Then, ${whose}, say what it has that no other has, and quote the words that show it. The quote must stand in`,
        'that text and in no other. Call participants "Seat A", "Seat B" and so on.',
        inLanguage(session),
      ].join('\n'),
    ],
    shape,
    longerBy: texts.length * 60,
  }
}

type Entry = z.infer<typeof replySchema>['each'][number]

/** What is wrong with an entry, in words. Undefined if its words stand in that text and in no other. */
const problemIn = ({ seat, quote }: Entry, texts: readonly Written[]): string | undefined => {
  const letter = seat.replace(/^seat\s+/i, '').toUpperCase()
  const own = texts.find(one => one.letter === letter)
  if (!own) return `there is no text of seat ${JSON.stringify(seat)}`
  if (!own.has(quote)) return `seat ${letter} did not write ${JSON.stringify(quote)}`
  const other = texts.find(one => one !== own && one.has(quote))
  return other && `seat ${other.letter} also wrote ${JSON.stringify(quote)}`
}

const read = (raw: unknown, session: Session): Happening | { problem: string } => {
  const reply = replySchema.safeParse(raw)
  if (!reply.success || reply.data.common.trim() === '') return { problem: 'common or each is missing' }
  const { common, each } = reply.data
  const texts = textsOf(session)
  // Each entry is looked up in all texts: without an end to them, a reply would hold up everybody.
  if (each.length > texts.length) return { problem: 'each has more entries than there are texts' }
  const letters = each.map(({ seat }) => seat.replace(/^seat\s+/i, '').toUpperCase())
  const missing = texts.filter(({ letter }) => !letters.includes(letter)).map(({ letter }) => letter)
  const problems = [
    ...each.flatMap(entry => problemIn(entry, texts) ?? []),
    ...(new Set(letters).size < letters.length ? ['a seat is named twice'] : []),
    ...(missing.length > 0 && each.length < Math.min(mostNamed, texts.length)
      ? [`each lacks seat ${missing.join(', ')}`]
      : []),
  ]
  if (problems.length > 0) return { problem: problems.join('; ') }
  const lines = each.map(({ only, quote }, index) => {
    const { name } = session.seats.find(seat => seat.alias === letters[index])!
    return `- ${name}: ${withNames(session, only.trim())} “${quote.trim()}”`
  })
  return {
    type: 'report-written',
    by: 'moderator',
    report: { answer: withNames(session, common.trim()), summary: lines.join('\n') },
  }
}

export const textReport = { prompt, read }
