/** What every protocol must do. contract.test.ts runs it over the whole list. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Command } from '../../src/core/event.ts'
import { fold } from '../../src/core/fold.ts'
import { type Format, formats } from '../../src/core/question.ts'
import { groupingOf, isGrouped } from '../../src/count/settle.ts'
import type { Protocol } from '../../src/protocols/protocol.ts'
import { nextOf } from '../../src/protocols/steps.ts'
import { abstained, questionOf, type Said, silent, table } from './core-testing.ts'
import { type Played, type PlayScript, play } from './protocols-testing.ts'

fc.configureGlobal({ seed: 2026 })

const options = ['Rail', 'Road', 'River']
const questions = {
  open: questionOf(),
  choice: questionOf({ format: 'choice', options }),
  ranking: questionOf({ format: 'ranking', options }),
  number: questionOf({ format: 'number', unit: 'km', scale: 'log' }),
  text: questionOf({ format: 'text' }),
}
const values: Record<Format, readonly Said[]> = {
  open: ['Rail is best', 'Rail, of course', 'Road is best', 'River'],
  choice: options,
  ranking: [options, options.toReversed()],
  number: [100, 105, 400],
  text: ['A plain letter', 'A long letter', 'A poem'],
}

const anyQuestion = ({ formats: known = formats }: Protocol) => questions[known[0] ?? 'open']

/** A table, and what each seat says in each round. */
const tables = (protocol: Protocol) =>
  fc
    .record({
      format: fc.constantFrom(...(protocol.formats ?? formats)),
      seats: fc.integer({ min: 1, max: 7 }),
      rounds: fc.integer({ min: 0, max: protocol.rounds.most }),
      moderator: fc.constantFrom('lab/moderator', null),
      moderatorFails: fc.boolean(),
      objection: fc.constantFrom(null, 'It carries nothing.'),
    })
    .chain(setting => {
      const given = fc.constantFrom<Said>(...values[setting.format])
      const said = fc.oneof({ weight: 5, arbitrary: given }, fc.constantFrom<Said>(silent(), abstained()))
      const round = fc.array(said, { minLength: setting.seats, maxLength: setting.seats })
      return fc.record({
        setting: fc.constant(setting),
        said: fc.array(round, { minLength: 5, maxLength: 5 }),
      })
    })

type Table = ReturnType<typeof tables> extends fc.Arbitrary<infer T> ? T : never

const run = (protocol: Protocol, { setting, said }: Table, late?: PlayScript['late']): Played => {
  const { format, seats, rounds, moderator, ...script } = setting
  const log = table({ question: questions[format], seats, rounds, moderator, protocol: protocol.id })
  return play(protocol, log, {
    ...script,
    said: (seat, round) => said[round]![Number(seat.slice(1)) - 1]!,
    ...(late && { late }),
  })
}

const isAsk = (command: Command): command is Command & { type: 'ask-seat' } => command.type === 'ask-seat'

/** Tasks that are told a role of their own. */
const ownRoles: readonly string[] = ['make-statement', 'judge', 'challenge']

export const protocolContract = (protocol: Protocol): void => {
  const holds = (check: (played: Played, one: Table) => void): void =>
    fc.assert(
      fc.property(tables(protocol), one => check(run(protocol, one), one)),
      { numRuns: 60 },
    )

  describe(`protocol ${protocol.id}`, () => {
    test('[P1] every session ends, whatever is said and whatever fails', () => {
      holds(({ log, commands }, { setting }) => {
        expect(commands.at(-1)).toEqual({ type: 'finish' })
        expect(log.session.report).toBeDefined()
        expect(commands.length).toBeLessThanOrEqual(5 + (setting.rounds + 1) * (3 * setting.seats + 6))
      })
    })

    test('[P2] the same state gives the same commands, and deciding changes nothing', () => {
      holds(({ log }) => {
        for (const length of log.events.keys()) {
          const events = log.events.slice(0, length + 1)
          const frozen = JSON.stringify(fold(events))
          const session = fold(events)
          expect(nextOf(protocol, session)).toEqual(
            nextOf(protocol, fold(JSON.parse(JSON.stringify(events)))),
          )
          expect(JSON.stringify(session)).toBe(frozen)
        }
      })
    })

    test('[P3] every seat is asked once a round, and nobody else is', () => {
      holds(({ log, commands }) => {
        const { seats, roundsSoFar } = log.session
        const asked = commands.filter(isAsk).map(({ seat, round }) => `${seat}@${round}`)
        const expected = roundsSoFar.flatMap(({ index }) => seats.map(({ id }) => `${id}@${index}`))
        expect(asked.toSorted()).toEqual(expected.toSorted())
      })
    })

    test('[P3] a seat that has handed in isn’t asked again, wherever a log is resumed', () => {
      holds(({ log }) => {
        for (const length of log.events.keys()) {
          const session = fold(log.events.slice(0, length + 1))
          for (const { round, seat } of nextOf(protocol, session).filter(isAsk))
            expect(session.roundsSoFar[round]?.handedIn[seat]).toBeUndefined()
        }
      })
    })

    test('[P4] round 0 is sealed, later ones are open, and there are no more than were allowed', () => {
      holds(({ log }, { setting }) => {
        const { roundsSoFar } = log.session
        expect(roundsSoFar.map(({ index, sealed }) => [index, sealed])).toEqual(
          roundsSoFar.map((_, index) => [index, index === 0]),
        )
        expect(roundsSoFar.length - 1).toBeLessThanOrEqual(setting.rounds)
      })
    })

    test('[P5] the report comes when every round is grouped, and the moderator isn’t asked without need', () => {
      holds(({ log, commands }, { setting }) => {
        for (const round of log.session.roundsSoFar)
          expect(isGrouped(groupingOf(log.session, round))).toBe(true)
        const asked = commands.map(({ type }) => type)
        if (setting.moderator === null || setting.format !== 'open') {
          expect(asked).not.toContain('group-answers')
          expect(asked).not.toContain('check-membership')
          expect(asked).not.toContain('check-memberships')
        }
        if (setting.moderator === null) expect(asked).not.toContain('challenge')
      })
    })

    test('[P96] a table that goes on without slow seats ends too, asks nobody twice and counts what comes late', () => {
      const pauses = fc.array(fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }), {
        minLength: 20,
        maxLength: 20,
      })
      fc.assert(
        fc.property(tables(protocol), pauses, (one, late) => {
          const { seats } = one.setting
          // Two thirds of the seats aren't slow.
          const slow = (seat: number, round: number): number | undefined =>
            seat * 3 > seats * 2 ? late[(seat + round * 7) % late.length] : undefined
          const { log, commands } = run(protocol, one, (id, round) => slow(Number(id.slice(1)), round))
          const asked = commands.filter(isAsk).map(({ seat, round }) => `${seat}@${round}`)
          expect(new Set(asked).size).toBe(asked.length)
          expect(commands.at(-1)).toEqual({ type: 'finish' })
          for (const round of log.session.roundsSoFar)
            expect(isGrouped(groupingOf(log.session, round))).toBe(true)
        }),
        { numRuns: 60 },
      )
    })

    test('[P97] seats of a round begin with the same words, and so do the calls of the moderator, so that caches hit', () => {
      holds(({ prompts }) => {
        const groupOf = (command: Command): string | number => {
          if (isAsk(command)) return command.round
          return ownRoles.includes(command.type) ? command.type : 'moderator'
        }
        const beginnings = Map.groupBy(prompts, ({ command }) => groupOf(command))
        for (const asked of beginnings.values()) {
          const [first] = asked
          for (const { prompt } of asked) {
            expect(prompt.system).toBe(first?.prompt.system)
            expect(prompt.user[0]).toBe(first?.prompt.user[0])
          }
        }
      })
    })

    test('[P6] a session that was stopped makes no more calls: it is reported and finished', () => {
      const log = table({ protocol: protocol.id, question: anyQuestion(protocol) })
        .round(0, ['Rail'])
        .stop()
      const { commands } = play(protocol, log, { said: () => 'Rail' })
      expect(commands).toEqual([{ type: 'write-report' }, { type: 'finish' }])
    })

    test('[P7] nobody is asked again if nobody answered', () => {
      const setting = {
        protocol: protocol.id,
        rounds: protocol.rounds.most,
        question: anyQuestion(protocol),
      }
      const { log } = play(protocol, table(setting), { said: () => silent() })
      expect(log.session).toMatchObject({ outcome: 'no-quorum', roundsSoFar: [{ index: 0 }] })
    })

    test('[P8] rounds stay between 0 and 4, and the usual number is allowed', () => {
      const { usual, most } = protocol.rounds
      expect(most).toBeLessThanOrEqual(4)
      expect(usual).toBeLessThanOrEqual(most)
    })
  })
}
