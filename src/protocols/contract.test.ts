import { expect, test } from 'vitest'
import { protocolContract } from '../../test/contracts/protocols-contract.ts'
import { defaultProtocol, protocolNamed, protocols } from './index.ts'

for (const protocol of protocols) protocolContract(protocol)

test('[P9] protocols are found by their id; an unknown one is told what there is', () => {
  expect(protocolNamed(defaultProtocol).id).toBe('hybrid')
  expect(() => protocolNamed('duel')).toThrow(
    'There is no protocol "duel"; there are hybrid, roundtable, poll, delphi, cross-examination, market.',
  )
})

const load = (seats: number, rounds: number) => ({ seats, rounds, question: 300, answer: 400, open: false })

test('[P10] the expected calls are those of the guide’s table', () => {
  for (const seats of [6, 12, 50, 200]) {
    expect(protocolNamed('poll').expect(load(seats, 0)).calls).toBe(seats + 1)
    expect(protocolNamed('roundtable').expect(load(seats, 2)).calls).toBe(seats * 3 + 2)
    // Six seats read each other; twelve get a digest in each round; a large table's first one is made in parts of 25.
    const digests = seats > 8 ? 2 + (seats > 25 ? seats / 25 : 0) : 0
    expect(protocolNamed('hybrid').expect(load(seats, 2)).calls).toBe(seats + 3 + 2 * seats + digests)
    expect(protocolNamed('delphi').expect(load(seats, 2)).calls).toBe(seats * 3 + 1)
    expect(protocolNamed('market').expect(load(seats, 2)).calls).toBe(seats * 3 + 1)
    // The table votes again, which the guide's row leaves out: two turns each, two rulings, a report.
    expect(protocolNamed('cross-examination').expect(load(seats, 2)).calls).toBe(2 * seats + 4 + 2 + 1)
  }
})

test('[P10] expected input grows linearly with the seats, except in roundtable, where it grows with their square', () => {
  const input = (id: string, seats: number) => protocolNamed(id).expect(load(seats, 2)).inputTokens
  const slope = (id: string, from: number, to: number) => (input(id, to) - input(id, from)) / (to - from)
  for (const { id } of protocols.filter(protocol => protocol.id !== 'roundtable')) {
    expect(slope(id, 12, 15)).toBe(slope(id, 15, 18))
    expect(slope(id, 100, 200)).toBe(slope(id, 50, 100))
    expect(slope(id, 100, 200)).toBeLessThanOrEqual(slope(id, 12, 18))
  }
  // Eight seats read each other's whole answers: what one reads has a limit there, and is never more than that.
  expect(input('hybrid', 200) / 200).toBeLessThan(input('hybrid', 8) / 8)
  const [six, fifty, many] = [input('roundtable', 6), input('roundtable', 50), input('roundtable', 200)]
  expect(fifty / six).toBeGreaterThan(30)
  expect(many / fifty).toBeGreaterThan(14)
})
