import fc from 'fast-check'
import { expect, test } from 'vitest'
import { flowLayout, type Group } from './moves.ts'

const size = { width: 600, height: 300, blockWidth: 30, gap: 12 }

/** A column for each round: every seat in one of four camps. */
const columnOf = (camps: readonly number[]): Group[] =>
  [0, 1, 2, 3].map(camp => ({
    key: String(camp),
    seats: camps.flatMap((own, seat) => (own === camp ? [`s${seat}`] : [])),
  }))

const table = fc
  .tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 5 }))
  .chain(([seats, rounds]) =>
    fc.array(fc.array(fc.nat(3), { minLength: seats, maxLength: seats }), {
      minLength: rounds,
      maxLength: rounds,
    }),
  )

test('[U4] every seat has one ribbon from each round to the next', () => {
  fc.assert(
    fc.property(table, rounds => {
      const { ribbons } = flowLayout(rounds.map(columnOf), size)
      expect(ribbons).toHaveLength((rounds.length - 1) * (rounds[0]?.length ?? 0))
    }),
  )
})

test('[U4] blocks of a round lie in the drawing, one below the other, as tall as their camps are large', () => {
  fc.assert(
    fc.property(table, rounds => {
      const { blocks } = flowLayout(rounds.map(columnOf), size)
      for (const [index, block] of blocks.entries()) {
        expect(block.y).toBeGreaterThanOrEqual(0)
        expect(block.y + block.height).toBeLessThanOrEqual(size.height + 1e-6)
        const next = blocks[index + 1]
        if (next?.column === block.column) expect(next.y).toBeGreaterThanOrEqual(block.y + block.height)
        const unit = block.height / block.seats.length
        expect(unit).toBeCloseTo((blocks[0]?.height ?? 0) / (blocks[0]?.seats.length ?? 1))
      }
    }),
  )
})

test('[U4] if nobody moves, no ribbons cross', () => {
  const column = columnOf([0, 1, 0, 2, 1])
  const { ribbons } = flowLayout([column, column], size)
  for (const { y0, y1 } of ribbons) expect(y0).toBe(y1)
})
