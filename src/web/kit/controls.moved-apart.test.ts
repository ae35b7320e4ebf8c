import fc from 'fast-check'
import { expect, test } from 'vitest'
import { movedApart } from './controls.tsx'

test('[U72] labels keep their order and their distance, and stay where they are if there is room', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 12 }), heights => {
      const labels = movedApart(
        heights.map(y => ({ y, was: y })),
        14,
        200,
      )
      for (const [index, { y, was }] of labels.entries()) {
        const before = labels[index - 1]
        if (before) {
          expect(y - before.y).toBeGreaterThanOrEqual(14)
          expect(was).toBeGreaterThanOrEqual(before.was)
        }
        expect(y).toBeLessThanOrEqual(200)
      }
    }),
  )
  expect(movedApart([{ y: 60 }, { y: 10 }], 14).map(({ y }) => y)).toEqual([10, 60])
})
