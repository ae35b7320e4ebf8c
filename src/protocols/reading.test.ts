import { describe, expect, test } from 'vitest'
import { type Said, table } from '../../test/contracts/core-testing.ts'
import { type Played, play } from '../../test/contracts/protocols-testing.ts'
import { commandKey } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import { asLabelled, groupingOf } from '../count/settle.ts'
import { verdictOf } from '../count/verdict.ts'
import { readRound } from './grouping.ts'
import { protocolNamed } from './index.ts'
import { nextOf } from './steps.ts'

const types = (played: Played): string[] => played.commands.map(({ type }) => type)
const besides = (played: Played): string[] => types(played).filter(type => type !== 'ask-seat')

/** Five of six say Rail, each in its own words. */
const mostRail = (seat: string): Said => (seat === 's6' ? 'Road is best' : `Rail is best, says ${seat}`)

const playedOpen = (said: (seat: string, round: number) => Said, setting = {}, protocol = 'hybrid') =>
  play(protocolNamed(protocol), table({ protocol, rounds: 1, ...setting }), {
    said,
    objection: 'Rails rust. (To check: look at one.)',
  })

describe('the flow', () => {
  test('[P98] one call reads a closed round of hybrid: labels and an objection', () => {
    const played = playedOpen(mostRail)
    const read = played.commands.find(({ type }) => type === 'read-round')
    expect(read).toEqual({ type: 'read-round', round: 0, parts: ['objection'] })
    expect(besides(played)).not.toContain('challenge')
    expect(besides(played).filter(type => type === 'group-answers')).toHaveLength(1)
    expect(played.log.session.roundsSoFar[0]?.objection).toContain('Rails rust.')
  })

  test('[P98] after the last round nobody looks for an objection', () => {
    const { commands } = playedOpen(mostRail)
    expect(commands.filter(({ type }) => type === 'read-round')).toHaveLength(1)
    expect(besides(playedOpen(mostRail, { rounds: 0 }))).not.toContain('read-round')
  })

  test('[P98] from nine seats on the reading has a digest, and a large table keeps its single steps', () => {
    const long = (seat: string): Said => ({
      headline: `${Number(seat.slice(1)) % 2 ? 'Rail' : 'Road'}, says ${seat}`,
      reasoning: 'It costs 0.35 a day. '.repeat(100),
    })
    const nine = playedOpen(long, { seats: 9 })
    expect(nine.commands).toContainEqual({ type: 'read-round', round: 0, parts: ['objection', 'digest'] })
    expect(besides(nine)).not.toContain('write-digest')
    const twenty = playedOpen(long, { seats: 20 })
    expect(besides(twenty)).not.toContain('read-round')
    expect(besides(twenty)).toContain('write-digest')
  })

  test('[P98] a very small moderator keeps its single steps', () => {
    expect(besides(playedOpen(mostRail, { smallModerator: true }))).not.toContain('read-round')
  })

  test('[P99] the table talks as soon as it is labelled: the second pass and the checks run beside the next round', () => {
    const read = table({ rounds: 1 })
      .round(0, ['Rail a', 'Rail b', 'Rail c', 'Road a', 'Road b', 'Road c'])
      .and({ type: 'round-read', round: 0, labels: labels(3), objection: null })
    const hybrid = protocolNamed('hybrid')
    expect(nextOf(hybrid, read.session)).toEqual([{ type: 'open-round', round: 1, sealed: false }])
    const open = read.and({ type: 'round-opened', round: 1, sealed: false, prompts: 2 })
    const beside = nextOf(hybrid, open.session).map(({ type }) => type)
    expect(beside.filter(type => type === 'ask-seat')).toHaveLength(6)
    expect(beside).toContain('group-answers')
    const passed = open.and({ type: 'camps-proposed', round: 0, pass: 1, labels: labels(3) })
    expect(nextOf(hybrid, passed.session).map(({ type }) => type)).toContain('check-memberships')
  })

  test('[P11] [E33] if checks break an agreement that labels had shown, the report is dropped and the table talks', () => {
    const read = table({ rounds: 1, kind: 'judgement' })
      .round(0, ['Rail a', 'Rail b', 'Rail c', 'Rail d', 'Rail e', 'Road'])
      .and({ type: 'round-read', round: 0, labels: labels(5), objection: null })
    const hybrid = protocolNamed('hybrid')
    expect(nextOf(hybrid, read.session)).toContainEqual({ type: 'write-report' })
    const split = read
      .and({ type: 'report-drafted', round: 0, leading: 'Rail a', moved: [] })
      .and({ type: 'camps-proposed', round: 0, pass: 1, labels: labels(5) })
      .check(0, 's5', 's1@0', 'different')
      .settle()
      .check(0, 's6', 's1@0', 'different')
      .check(0, 's6', 's5@0', 'different')
    expect(nextOf(hybrid, split.session)).toEqual([{ type: 'open-round', round: 1, sealed: false }])
    const open = split.and({ type: 'round-opened', round: 1, sealed: false })
    expect(open.session.drafted).toBeUndefined()
  })

  test('[P100] a reading that failed is done step by step', () => {
    const failed = table({ rounds: 1 })
      .round(0, ['Rail a', 'Rail b', 'Rail c', 'Road a', 'Road b', 'Road c'])
      .and({
        type: 'moderator-failed',
        task: 'reading',
        round: 0,
        error: { kind: 'bad-shape', message: 'no position for seat A' },
      })
    const next = nextOf(protocolNamed('hybrid'), failed.session)
    expect(next.map(commandKey)).toEqual(['group-answers 0 0', 'group-answers 0 1'])
    expect(failed.session.failures).toMatchObject([{ task: 'reading' }])
  })
})

/** The first seats say Rail, the others Road. */
const labels = (rail: number): Record<string, string> =>
  Object.fromEntries(['s1', 's2', 's3', 's4', 's5', 's6'].map((id, at) => [id, at < rail ? 'Rail' : 'Road']))

describe('a reply', () => {
  const { session } = table({ rounds: 1 }).round(0, [
    'Rail a',
    'Rail b',
    'Rail c',
    'Rail d',
    'Rail e',
    'Road',
  ])
  const command = { type: 'read-round', round: 0, parts: ['objection'] } as const
  const said = {
    ...{ A: 'n1', B: 'n1', C: 'n1', D: 'n1', E: 'n1', F: 'n2' },
    positions: [
      { id: 'n1', label: 'Rail' },
      { id: 'n2', label: 'Road' },
    ],
    against: 'n1',
    tried: 'Its cost.',
    objection: 'Rails rust.',
    check: 'Look at one.',
  }

  test('[P98] becomes one event', () => {
    expect(readRound.read(said, session, command)).toEqual({
      type: 'round-read',
      round: 0,
      labels: { s1: 'Rail', s2: 'Rail', s3: 'Rail', s4: 'Rail', s5: 'Rail', s6: 'Road' },
      positions: { s1: 'n1', s2: 'n1', s3: 'n1', s4: 'n1', s5: 'n1', s6: 'n2' },
      objection: 'Rails rust. (To check: look at one.)'.replace('look', 'Look'),
    })
  })

  test('[P101] an objection to another position than the largest one is not heard, and none is not an objection that was sought', () => {
    expect(readRound.read({ ...said, against: 'n2' }, session, command)).not.toHaveProperty('objection')
    const nothing = { ...said, against: null, tried: null, objection: null, check: null }
    expect(readRound.read(nothing, session, command)).not.toHaveProperty('objection')
  })

  test('[P101] while too few agree, nobody hears an objection, whatever the moderator says', () => {
    const split = { ...said, C: 'n2', D: 'n2', E: 'n2' }
    expect(readRound.read(split, session, command)).not.toHaveProperty('objection')
  })

  test('[P100] without a label it is repaired, and then nothing of it is used', () => {
    expect(readRound.read({ ...said, C: undefined }, session, command)).toEqual({
      problem: 'no position for seat C',
    })
    expect(readRound.salvage?.({ ...said, C: undefined }, session, command)).toBeUndefined()
  })

  test('[P100] with labels alone it is repaired, and then what it has stands', () => {
    const counted = { ...said, objection: 'All six seats are wrong.' }
    expect(readRound.read(counted, session, command)).toMatchObject({
      problem: expect.stringContaining('count'),
    })
    const kept = readRound.salvage?.(counted, session, command)
    expect(kept).toMatchObject({ type: 'round-read', missing: ['objection'], labels: { s1: 'Rail' } })
    expect(kept).not.toHaveProperty('objection')
  })

  test('[P100] what a reading lacks is told, and asked for by itself', () => {
    const read = table({ rounds: 1 })
      .round(0, ['Rail a', 'Rail b', 'Rail c', 'Rail d', 'Rail e', 'Road'])
      .and({ type: 'round-read', round: 0, labels: labels(5), missing: ['objection'] })
    const next = nextOf(protocolNamed('hybrid'), read.session)
    expect(next).toContainEqual({ type: 'challenge', round: 0 })
    expect(read.session.failures).toMatchObject([
      { task: 'reading', error: { kind: 'bad-shape', message: expect.stringContaining('objection') } },
    ])
  })
})

describe('labels and checks', () => {
  const read = table({ rounds: 1 })
    .round(0, ['Rail a', 'Rail b', 'Rail c', 'Rail d', 'Rail e', 'Road'])
    .and({ type: 'round-read', round: 0, labels: labels(5), objection: null })

  test('[C37] by labels a round has camps after one pass, but nothing is counted until everything is checked', () => {
    const { session } = read
    expect(groupingOf(session, session.roundsSoFar[0]!)).toMatchObject({ camps: [], unplaced: { length: 6 } })
    const view = asLabelled(session)
    expect(groupingOf(view, view.roundsSoFar[0]!).camps.map(({ seats }) => seats.length)).toEqual([5, 1])
    expect(verdictOf(view).agree).toBe(5)
  })

  test('[C37] once everything is checked, both views agree', () => {
    const { session } = read.and({ type: 'camps-proposed', round: 0, pass: 1, labels: labels(5) }).settle()
    const [camps, byLabels] = [session, asLabelled(session)].map(
      one => groupingOf(one, one.roundsSoFar[0]!).camps,
    )
    expect(byLabels).toEqual(camps)
  })
})

describe('no idle rounds', () => {
  const agree: Said = 'Rail'
  test.each(['delphi', 'market', 'roundtable'])('[P102] %s stops if the sealed round agrees', protocol => {
    const question = { ...table().session.question, format: 'choice' as const, options: ['Rail', 'Road'] }
    const setting = { protocol, rounds: 2, question }
    const played = play(protocolNamed(protocol), table(setting), { said: () => agree })
    expect(played.log.session.roundsSoFar).toHaveLength(1)
    const split = play(protocolNamed(protocol), table(setting), {
      said: seat => (seat === 's1' ? 'Road' : 'Rail'),
    })
    expect(split.log.session.roundsSoFar.length).toBeGreaterThan(1)
    const wanted = table(setting).round(0, Array(6).fill(agree)).and({ type: 'round-added' })
    const more = play(protocolNamed(protocol), wanted, { said: () => agree })
    expect(more.log.session.roundsSoFar.length).toBeGreaterThan(1)
  })

  test('[P102] an open question is labelled before roundtable decides', () => {
    const played = playedOpen(seat => `Rail is best, says ${seat}`, {}, 'roundtable')
    expect(played.log.session.roundsSoFar).toHaveLength(1)
  })
})

test('[P98] a log without readings goes on as it was', () => {
  const log = table({ rounds: 1 })
    .round(0, ['Rail a', 'Rail b', 'Rail c', 'Road a', 'Road b', 'Road c'])
    .labels(0, ['Rail', 'Rail', 'Rail', 'Road', 'Road', 'Road'])
  const next = nextOf(protocolNamed('hybrid'), fold(JSON.parse(JSON.stringify(log.events))))
  expect(next).toEqual([{ type: 'open-round', round: 1, sealed: false }])
})
