import { expect, test } from 'vitest'
import { protocolContract } from './contract.ts'
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
    expect(protocolNamed('hybrid').expect(load(seats, 2)).calls).toBe(seats + 3 + 2 * (seats + 1))
    expect(protocolNamed('delphi').expect(load(seats, 2)).calls).toBe(seats * 3 + 1)
    expect(protocolNamed('market').expect(load(seats, 2)).calls).toBe(seats * 3 + 1)
    // The table votes again, which the guide's row leaves out: two turns each, two rulings, a report.
    expect(protocolNamed('cross-examination').expect(load(seats, 2)).calls).toBe(2 * seats + 4 + 2 + 1)
  }
})

test('[P10] expected input grows linearly with the seats in poll and hybrid, and with their square in roundtable', () => {
  const input = (id: string) =>
    [6, 12, 50, 200].map(seats => protocolNamed(id).expect(load(seats, 2)).inputTokens)
  const slopes = ([six = 0, twelve = 0, fifty = 0, many = 0]: number[]) => [
    (twelve - six) / 6,
    (fifty - twelve) / 38,
    (many - fifty) / 150,
  ]
  for (const id of ['poll', 'hybrid']) {
    const [first, second, third] = slopes(input(id))
    expect([second, third]).toEqual([first, first])
  }
  const [six = 0, , fifty = 0, many = 0] = input('roundtable')
  expect(fifty / six).toBeGreaterThan(30)
  expect(many / fifty).toBeGreaterThan(14)
})
