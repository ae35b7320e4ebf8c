/** Plays a session without models, for tests: rules answer every command, and it is recorded. */
import { shuffled } from '../../src/core/basics.ts'
import { type Command, commandKey, type Happening, type Relation } from '../../src/core/event.ts'
import { apply } from '../../src/core/fold.ts'
import { promptVersion } from '../../src/core/form.ts'
import { normalised } from '../../src/core/question.ts'
import { answerIn, asSeenIn, checkKey, roundAt, type Session } from '../../src/core/session.ts'
import { answerAt, type PendingCheck } from '../../src/count/camps.ts'
import { sidesOf } from '../../src/count/group.ts'
import { statedReadings } from '../../src/count/moves.ts'
import { asLabelled, groupingOf } from '../../src/count/settle.ts'
import { verdictOf } from '../../src/count/verdict.ts'
import { batchesOf, isEnough, plainDigest } from '../../src/protocols/answers.ts'
import { type ModeratorCommand, moderatorStep } from '../../src/protocols/index.ts'
import type { Prompt, Protocol } from '../../src/protocols/protocol.ts'
import { draftedFor, settledReport } from '../../src/protocols/report.ts'
import { statement } from '../../src/protocols/statements.ts'
import { nextOf, seenFor, supportOf } from '../../src/protocols/steps.ts'
import { plainReport } from '../../src/report/report.ts'
import { answerOf, type Said, type TestLog } from './core-testing.ts'

export interface PlayScript {
  /** What a seat says in a round. */
  said(seat: string, round: number): Said
  readonly objection?: string | null
  /** Every call to the moderator fails. */
  readonly moderatorFails?: boolean
  /** After how many other commands a seat that the table goes on without answers. Absent: it isn't slow. */
  readonly late?: (seat: string, round: number) => number | undefined
}

export interface Played {
  readonly log: TestLog
  /** In the order in which they were started. */
  readonly commands: readonly Command[]
  readonly prompts: readonly { readonly command: Command; readonly prompt: Prompt }[]
}

const failed = (command: ModeratorCommand): Happening => ({
  type: 'moderator-failed',
  task: moderatorStep(command).task,
  round: 'round' in command ? command.round : 0,
  error: { kind: 'server-error', message: '500' },
  ...(command.type === 'group-answers' && { subject: String(command.pass) }),
  ...(command.type === 'judge' && { subject: String(command.order) }),
  ...(command.type === 'check-membership' && { subject: checkKey(command.seat, command.exemplar) }),
  ...(command.type === 'check-memberships' && {
    subjects: command.pairs.map(({ seat, exemplar }) => checkKey(seat, exemplar)),
  }),
})

const asked = (
  session: Session,
  { round, seat }: Command & { type: 'ask-seat' },
  script: PlayScript,
): Happening => {
  const said = script.said(seat, round)
  if (typeof said === 'object' && 'absent' in said) {
    return said.absent === 'silent'
      ? { type: 'seat-silent', round, seat, error: { kind: said.kind, message: 'no words' } }
      : { type: 'seat-abstained', round, seat, words: said.words }
  }
  return { type: 'answer-given', round, seat, answer: answerOf(session.question, said) }
}

const firstWord = (headline = ''): string | undefined => normalised(headline).split(' ')[0]

/** Headlines with the same first word are the same answer. */
const relationIn = (session: Session, round: number, { seat, exemplar }: PendingCheck): Relation => {
  const own = answerIn(roundAt(session, round), seat)
  return firstWord(own?.headline) === firstWord(answerAt(session, exemplar)?.headline) ? 'same' : 'different'
}

/** The moderator labels a headline by its first word, and finds that everybody in a camp agrees. */
const labelsOf = (
  session: Session,
  { round: index, pass, batch }: Command & { type: 'group-answers' },
): Record<string, string> => {
  const round = roundAt(session, index)!
  const { unplaced } = groupingOf(session, round)
  const order = shuffled(unplaced, `${session.seed} group ${index}`)
  const seats = batch === undefined ? unplaced : batchesOf(pass === 0 ? order : order.reverse())[batch]
  return Object.fromEntries(
    (seats ?? []).map(seat => [seat, firstWord(answerIn(round, seat)?.headline) ?? seat]),
  )
}

/** The session with these labels, for a digest that is made in the same call. */
const labelledSession = (session: Session, round: number, labels: Record<string, string>): Session =>
  apply(session, { type: 'round-read', round, labels, position: session.position, at: session.lastAt })

const isChallenged = (session: Session, round: number): boolean =>
  isEnough(
    session,
    supportOf(
      session,
      roundAt(session, round)!,
      groupingOf(asLabelled(session), roundAt(session, round)!).camps,
    ),
  )

const outcomeOf = (session: Session): Happening => ({
  type: 'session-finished',
  outcome: verdictOf(session).level === 'no-quorum' ? 'no-quorum' : 'verdict',
})

/** An advocate repeats what it says in the next round. If it is silent then, it is silent here. */
const stated = (
  session: Session,
  command: Command & { type: 'make-statement' },
  script: PlayScript,
): Happening => {
  const { round, turn, seat } = command
  const said = asked(session, { type: 'ask-seat', round: round + 1, seat }, script)
  if (said.type !== 'answer-given')
    return { ...command, type: 'statement-made', said: { error: { kind: 'timeout', message: 'no words' } } }
  const { headline, reasoning } = said.answer
  return {
    type: 'statement-made',
    round,
    turn,
    seat,
    said: { argument: `${headline}. ${reasoning}`, question: 'Why not?' },
  }
}

const execute = (protocol: Protocol, session: Session, command: Command, script: PlayScript): Happening[] => {
  const failing = script.moderatorFails || session.moderator === null
  switch (command.type) {
    case 'open-round':
      return [{ type: 'round-opened', round: command.round, sealed: command.sealed, prompts: promptVersion }]
    case 'ask-seat':
      return [asked(session, command, script)]
    case 'find-kind':
      return [failing ? failed(command) : { type: 'kind-found', kind: 'judgement' }]
    case 'group-readings':
      return [
        failing
          ? failed(command)
          : {
              ...command,
              type: 'readings-grouped',
              readings: statedReadings(session, roundAt(session, command.round)!),
            },
      ]
    case 'read-round': {
      if (failing) return [failed(command)]
      const { round, parts } = command
      const labels = labelsOf(session, { type: 'group-answers', round, pass: 0 })
      return [
        {
          type: 'round-read',
          round,
          ...(Object.keys(labels).length > 0 && { labels }),
          ...(parts.includes('objection') &&
            isChallenged(labelledSession(session, round, labels), round) && {
              objection: script.objection ?? null,
            }),
          ...(parts.includes('digest') && {
            digest: plainDigest(labelledSession(session, round, labels), round),
          }),
        },
      ]
    }
    case 'group-answers':
      if (failing) return [failed(command)]
      return [{ ...command, type: 'camps-proposed', labels: labelsOf(session, command) }]
    case 'check-membership':
      return [
        failing
          ? failed(command)
          : { ...command, type: 'membership-checked', relation: relationIn(session, command.round, command) },
      ]
    case 'check-memberships': {
      if (failing) return [failed(command)]
      const { round, pairs } = command
      const checks = pairs.map(pair => ({ ...pair, relation: relationIn(session, round, pair) }))
      return [{ type: 'memberships-checked', round, checks }]
    }
    case 'challenge':
      if (failing) return [failed(command)]
      return [{ type: 'challenge-made', round: command.round, objection: script.objection ?? null }]
    case 'make-statement':
      return [stated(session, command, script)]
    case 'judge': {
      if (failing) return [failed(command)]
      const camp = sidesOf(session, roundAt(session, command.round)!)?.[0].camp.id ?? null
      return [{ ...command, type: 'ruling-given', camp, words: 'It answered what it was asked.' }]
    }
    case 'write-digest':
      if (protocol.digest) {
        const digest = protocol.digest(session, roundAt(session, command.round)!)
        return [{ type: 'digest-written', round: command.round, digest, by: 'code' }]
      }
      return [
        ...(failing ? [failed(command)] : []),
        {
          type: 'digest-written',
          round: command.round,
          ...(command.batch !== undefined && { batch: command.batch }),
          digest: plainDigest(session, command.round, command.batch),
          by: 'code',
        },
      ]
    case 'write-report':
      return seenFor(command, session).asLabelled
        ? [draftedFor(asLabelled(session))]
        : [{ type: 'report-written', report: plainReport(session), by: 'code' }]
    case 'search':
      return [{ type: 'evidence-found', by: 'test', query: session.question.text, sources: [] }]
    case 'settle-report':
      return [settledReport(session)]
    case 'check-change':
      return [{ ...command, type: 'change-checked', says: 'not told', quote: '', verified: false }]
    case 'finish':
      return [outcomeOf(session)]
    default:
      return command satisfies never
  }
}

/** Undefined if no model is asked. */
const promptFor = (protocol: Protocol, session: Session, command: Command): Prompt | undefined => {
  switch (command.type) {
    case 'search':
    case 'open-round':
    case 'settle-report':
    case 'finish':
      return undefined
    case 'ask-seat':
      return protocol.prompt(asSeenIn(session, command.round), command.seat, command.round)
    case 'make-statement':
      return statement.prompt(session, command)
    case 'write-digest':
      return protocol.digest ? undefined : moderatorStep(command).step.prompt(session, command)
    default:
      return moderatorStep(command).step.prompt(seenFor(command, session), command)
  }
}

/** A command that was started, and how many others are carried out before it. */
interface Started {
  readonly command: Command
  pause: number
}

/** Runs a session to its end. Answers come in one at a time, and each command is started once while it runs. */
export const play = (protocol: Protocol, begun: TestLog, script: PlayScript): Played => {
  const commands: Command[] = []
  const prompts: { command: Command; prompt: Prompt }[] = []
  const waiting: Started[] = []
  let log = begun
  const start = (command: Command): void => {
    if (waiting.some(one => commandKey(one.command) === commandKey(command))) return
    // Calls for seats that the table went on without end with the session.
    if (command.type === 'finish') waiting.length = 0
    commands.push(command)
    const pause = command.type === 'ask-seat' ? script.late?.(command.seat, command.round) : undefined
    waiting.push({ command, pause: pause ?? 0 })
    const prompt = promptFor(protocol, log.session, command)
    if (prompt) prompts.push({ command, prompt })
    if (command.type !== 'ask-seat' || pause === undefined) return
    const { seat, round } = command
    log = log.and({ type: 'seat-overdue', round, seat, by: 'patience' })
  }
  while (!log.session.outcome) {
    nextOf(protocol, log.session).forEach(start)
    const place = waiting.findIndex(({ pause }) => pause <= 0)
    const [next] = waiting.splice(Math.max(0, place), 1)
    for (const one of waiting) one.pause -= 1
    const command = next?.command
    if (!command) throw new Error(`${protocol.id} has nothing left to do, but the session isn't finished.`)
    if (commands.length > 10_000) throw new Error(`${protocol.id} doesn't end.`)
    log = log.and(...execute(protocol, log.session, command, script))
  }
  return { log, commands, prompts }
}
