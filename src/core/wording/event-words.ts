/** One event of the log in a few words. */
import type { SessionEvent } from '../log/event.ts'
import { capitalised } from './capital.ts'
import { kindTitles } from './kind-words.ts'
import { counted } from './numbers.ts'
import { concessionLine } from './own-word.ts'
import { couldNot } from './remarks.ts'
import { roundPhrase } from './round-names.ts'

const uncapitalised = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1)

/** A session as it is after the event no longer has the old name. */
const replacement = (newcomer: string, before: string): string =>
  before === newcomer ? `${newcomer} takes a seat` : `${newcomer} replaces ${before}`

/** `name` says what a seat is called, by its id. */
export const eventWords = (event: SessionEvent, name: (seat: string) => string): string => {
  if ('outdated' in event && event.outdated) return 'A late answer came, so the moderator reads again'
  switch (event.type) {
    case 'session-opened':
      return 'The question is asked'
    case 'evidence-found':
      return event.sources.length === 0
        ? 'The web search finds nothing'
        : `The web search finds ${counted(event.sources.length, 'source')}`
    case 'search-failed':
      return 'The web search fails'
    case 'round-opened':
      return `${capitalised(roundPhrase({ index: event.round, sealed: event.sealed }))} begins`
    case 'answer-given':
      return concessionLine(event.seat, event.answer, name) ?? `${name(event.seat)} answers`
    case 'seat-silent':
      return `${name(event.seat)} is silent`
    case 'seat-abstained':
      return `${name(event.seat)} abstains`
    case 'seat-overdue':
      return `The table goes on without ${name(event.seat)}`
    case 'kind-found':
    case 'readings-grouped':
      return 'The moderator reads the question'
    case 'kind-corrected':
      return `The kind of question is corrected: ${uncapitalised(kindTitles[event.kind])}`
    case 'round-read':
      return event.objection ? 'The challenger objects' : 'The moderator reads the round'
    case 'camps-proposed':
    case 'membership-checked':
    case 'memberships-checked':
      return 'The moderator compares the headlines'
    case 'digest-written':
      return 'The round is summed up for the table'
    case 'challenge-made':
      return event.objection === null ? 'The challenger finds no objection' : 'The challenger objects'
    case 'moderator-failed':
      return `The moderator ${couldNot(event.task)}`
    case 'report-drafted':
      return 'The report is drafted'
    case 'report-written':
      return 'The report is written'
    case 'session-stopped':
      return event.reason === 'budget' ? 'The budget is used up' : 'The session is stopped'
    case 'session-finished':
      return 'The session is over'
    case 'seat-retried':
      return `${name(event.seat)} is asked again`
    case 'seat-replaced':
      return replacement(event.seat.name, name(event.seat.id))
    case 'seat-joined':
      return `${event.seat.name} joins the table and answers from the next round on`
    case 'asker-said':
      return `The asker says${event.to === undefined ? '' : ` to ${name(event.to)}`}: ${event.words}`
    case 'round-added':
      return 'One more round is added'
    case 'session-resumed':
      return 'The session is resumed'
    case 'statement-made':
      return 'concedes' in event.said && event.said.concedes
        ? `${name(event.seat)} concedes to the other side`
        : `${name(event.seat)} speaks for its camp`
    case 'ruling-given':
      return 'The judge rules'
    case 'session-resolved':
      return `The right answer is known: ${event.answer}`
    case 'book-opened':
      return 'The book is opened'
    case 'check-opened':
    case 'change-checked':
      return 'The moderator reads the transcript'
    case 'session-forked':
      return 'The fork goes on from here'
    default:
      return event satisfies never
  }
}
