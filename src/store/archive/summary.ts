/** What an archive keeps of a session besides its log: its row in lists, and the text that is searched. */
import type { SessionEvent } from '../../core/log/event.ts'
import { parentOf } from '../../core/log/links.ts'
import { fold } from '../../core/log/state.ts'
import type { Answer } from '../../core/question/answer.ts'
import { reportTexts } from '../../core/wording/report-parts.ts'
import { listed } from '../log.ts'
import type { FoundSession } from './archive.ts'

/** Databases limit how much of a text they index. The rest of a longer session is kept, but not searched. */
const longestText = 100_000

/** Databases refuse NUL and half a surrogate pair in text; the log itself keeps both. */
const plain = (text: string): string => text.replaceAll('\0', ' ').toWellFormed()

export const found = (events: readonly SessionEvent[], tags: readonly string[]): FoundSession => {
  const session = fold(events)
  const summary = listed(events)
  const parent = parentOf(session)
  return {
    ...summary,
    openedAt: plain(summary.openedAt),
    question: plain(summary.question),
    line: summary.line && plain(summary.line),
    protocol: plain(session.protocol),
    models: [...new Set(session.seats.map(seat => plain(seat.model)))],
    tags,
    parent: parent ? plain(parent.session) : null,
    link: parent?.kind ?? null,
  }
}

/** What a seat wrote itself. The words that it quotes are in the answer that they are from, and are found there. */
const wordsOf = ({ headline, reasoning, reading, text, points = [] }: Answer): string[] =>
  [headline, reasoning, reading, text, ...points.map(({ why }) => why)].filter(words => words !== undefined)

/** The question while a session runs; also the answers and the report once it has finished. */
export const searchText = (events: readonly SessionEvent[]): string => {
  // If a session was resolved later, `session-finished` is not its last event.
  const finished = fold(events).outcome !== undefined
  const texts = events.flatMap((event): string[] => {
    if (event.type === 'session-opened') return [event.question.text, ...event.question.options]
    if (!finished) return []
    if (event.type === 'report-written') return reportTexts(event.report)
    if (event.type === 'answer-given') return wordsOf(event.answer)
    return []
  })
  // The report comes last in the log, and must not be cut off in a long session.
  const [question = '', ...others] = texts
  return plain([question, ...others.reverse()].join('\n').slice(0, longestText))
}
