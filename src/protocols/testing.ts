/** Plays a session without models, for tests: every command is answered by a rule, and noted down. */
import { groupingOf } from '../core/camps.ts'
import { type Command, commandKey, type ModelCommand } from '../core/command.ts'
import type { Happening } from '../core/event.ts'
import { plainReport } from '../core/plain-report.ts'
import { answerIn, checkKey, roundAt, type Session } from '../core/state.ts'
import { answerOf, type Log, type Said } from '../core/testing.ts'
import { verdictOf } from '../core/verdict.ts'
import { moderatorStep, plainDigest } from './moderator/index.ts'
import type { Prompt, Protocol } from './protocol.ts'
import { nextOf } from './steps.ts'

export interface Script {
  /** What a seat says in a round. */
  said(seat: string, round: number): Said
  readonly objection?: string | null
  /** Every call of the moderator fails. */
  readonly moderatorFails?: boolean
}

export interface Played {
  readonly log: Log
  /** In the order in which they were started. */
  readonly commands: readonly Command[]
  readonly prompts: readonly { readonly command: ModelCommand; readonly prompt: Prompt }[]
}

const failed = (command: Exclude<ModelCommand, { type: 'ask-seat' }>): Happening => ({
  type: 'moderator-failed',
  task: moderatorStep(command).task,
  round: 'round' in command ? command.round : 0,
  error: { kind: 'server-error', message: '500' },
  ...(command.type === 'group-answers' && { subject: String(command.pass) }),
  ...(command.type === 'check-membership' && { subject: checkKey(command.seat, command.exemplar) }),
})

const asked = (
  session: Session,
  { round, seat }: Command & { type: 'ask-seat' },
  script: Script,
): Happening => {
  const said = script.said(seat, round)
  if (typeof said === 'object' && 'absent' in said) {
    return said.absent === 'silent'
      ? { type: 'seat-silent', round, seat, error: { kind: said.kind, message: 'no words' } }
      : { type: 'seat-abstained', round, seat, words: said.words }
  }
  return { type: 'answer-given', round, seat, answer: answerOf(session.question, said) }
}

/** The moderator labels a headline by its first word, and finds everybody in a camp the same. */
const labelsOf = (session: Session, index: number): Record<string, string> => {
  const round = roundAt(session, index)!
  const { unplaced } = groupingOf(session, round)
  return Object.fromEntries(
    unplaced.map(seat => [seat, answerIn(round, seat)?.headline.split(' ')[0] ?? seat]),
  )
}

const outcomeOf = (session: Session): Happening => ({
  type: 'session-finished',
  outcome: verdictOf(session).level === 'no-quorum' ? 'no-quorum' : 'verdict',
})

const execute = (session: Session, command: Command, script: Script): Happening[] => {
  const failing = script.moderatorFails || session.moderator === null
  switch (command.type) {
    case 'open-round':
      return [{ type: 'round-opened', round: command.round, sealed: command.sealed }]
    case 'ask-seat':
      return [asked(session, command, script)]
    case 'group-answers':
      if (failing) return [failed(command)]
      return [{ ...command, type: 'camps-proposed', labels: labelsOf(session, command.round) }]
    case 'check-membership':
      return [failing ? failed(command) : { ...command, type: 'membership-checked', relation: 'same' }]
    case 'challenge':
      if (failing) return [failed(command)]
      return [{ type: 'challenge-made', round: command.round, objection: script.objection ?? null }]
    case 'write-digest':
      return [
        ...(failing ? [failed(command)] : []),
        {
          type: 'digest-written',
          round: command.round,
          digest: plainDigest(session, command.round),
          by: 'code',
        },
      ]
    case 'write-report':
      return [{ type: 'report-written', report: plainReport(session), by: 'code' }]
    case 'check-change':
      return [{ ...command, type: 'change-checked', says: 'not told', quote: '', verified: false }]
    case 'finish':
      return [outcomeOf(session)]
    default:
      return command satisfies never
  }
}

const promptFor = (protocol: Protocol, session: Session, command: ModelCommand): Prompt =>
  command.type === 'ask-seat'
    ? protocol.prompt(session, command.seat, command.round)
    : moderatorStep(command).step.prompt(session, command)

/** Runs to the end. Answers come in one at a time, as they do in life; each command is started once. */
export const play = (protocol: Protocol, begun: Log, script: Script): Played => {
  const commands: Command[] = []
  const prompts: { command: ModelCommand; prompt: Prompt }[] = []
  const started = new Set<string>()
  const waiting: Command[] = []
  let log = begun
  while (!log.session.outcome) {
    for (const command of nextOf(protocol, log.session)) {
      if (started.has(commandKey(command))) continue
      started.add(commandKey(command))
      commands.push(command)
      waiting.push(command)
      if (command.type !== 'open-round' && command.type !== 'finish')
        prompts.push({ command, prompt: promptFor(protocol, log.session, command) })
    }
    const command = waiting.shift()
    if (!command) throw new Error(`${protocol.id} has nothing left to do and no end.`)
    if (commands.length > 10_000) throw new Error(`${protocol.id} does not end.`)
    log = log.and(...execute(log.session, command, script))
  }
  return { log, commands, prompts }
}
