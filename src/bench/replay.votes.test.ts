import { describe, expect, test } from 'vitest'
import { familyOf, recordingFrom, rowsOf, seatsNamed, withSeats } from './replay.ts'

describe('recorded votes', () => {
  test('[B14] quotes, doubled quotes, commas and line ends inside of quotes are read', () => {
    const text = '\ufeffid,gold,"lab/a, the first"\r\n1,"say ""yes""","two\nlines"\r\n\r\n2,no,\r\n'
    expect(rowsOf(text)).toEqual([
      { line: 1, cells: ['id', 'gold', 'lab/a, the first'] },
      { line: 2, cells: ['1', 'say "yes"', 'two\nlines'] },
      { line: 5, cells: ['2', 'no', ''] },
    ])
  })

  test('[B14] a cell of any length is read', () => {
    for (const [cell, read] of [
      ['x'.repeat(9_000_000), 'x'.repeat(9_000_000)],
      ['""'.repeat(9_000_000), '"'.repeat(9_000_000)],
    ] as const)
      expect(rowsOf(`"${cell}"`)[0]!.cells[0] === read).toBe(true)
    expect(() => rowsOf(`a\n"${'x'.repeat(9_000_000)}`)).toThrow(/Line 2: a quote isn't closed/)
  })

  test('[B14] an empty cell is a seat that gave no answer; options are whatever was said', () => {
    const { seats, options, questions } = recordingFrom('id,gold,x/a,y/b\nq1,true,true,\nq2,false,,true')
    expect({ seats, options }).toEqual({ seats: ['x/a', 'y/b'], options: ['false', 'true'] })
    expect(questions.map(question => [...question.votes])).toEqual([[['x/a', 'true']], [['y/b', 'true']]])
  })

  test.each([
    ['', /is empty/],
    ['id,gold\n1,A', /id,gold and then the name/],
    ['id,gold,a,a\n1,A,A,A', /a has two columns/],
    ['id,gold,a', /no questions/],
    ['id,gold,a\n1,A', /Line 2: 2 cells instead of 3/],
    ['id,gold,a\n1,A,A\n2,,B', /Line 3: 2 has no right answer/],
    ['id,gold,a\n1,"A,A', /Line 2: a quote/],
  ])('[B15] %j is refused with its place', (text, message) => {
    expect(() => recordingFrom(text)).toThrow(message)
  })
})

describe('seats by a part of their name', () => {
  const seats = ['meta/llama-3.1-405b-turbo', 'meta/llama-3.1-70b', 'openai/gpt-4', 'openai/gpt-4-turbo']

  test('[B16] a part of the name is enough; the whole name or its end comes first', () => {
    expect(seatsNamed(seats, ['LLAMA-3.1-405b', 'gpt-4'])).toEqual([seats[0], seats[2]])
  })

  test('[B16] none or several are answered with the candidates', () => {
    expect(() => seatsNamed(seats, ['llama'])).toThrow(
      /could be meta\/llama-3.1-405b-turbo or meta\/llama-3.1-70b/,
    )
    expect(() => seatsNamed(seats, ['claude'])).toThrow(/No model is called.*openai\/gpt-4-turbo/)
    expect(() => seatsNamed(seats, ['405b', '405b-turbo'])).toThrow(/twice/)
  })

  test('[B16] the votes of the others are left out', () => {
    const some = withSeats(recordingFrom('id,gold,x/a,y/b\n1,A,A,B'), ['y/b'])
    expect([some.seats, [...some.questions[0]!.votes]]).toEqual([['y/b'], [['y/b', 'B']]])
    expect(familyOf('y/b')).toBe('y')
  })
})
