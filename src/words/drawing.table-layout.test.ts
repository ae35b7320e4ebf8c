import { expect, test } from 'vitest'
import { arrowPath, edgeBefore, tableLayout } from './drawing.ts'

const distances = (count: number): number[] => {
  const { points } = tableLayout(count)
  return points.flatMap((one, index) =>
    points.slice(index + 1).map(other => Math.hypot(one.x - other.x, one.y - other.y)),
  )
}

test.each([1, 3, 6, 10, 11, 30, 50, 80])(
  '[U102] %i seats do not cover each other, and leave the middle free',
  count => {
    const { points, size, radius } = tableLayout(count)
    expect(points).toHaveLength(count)
    expect(Math.min(...distances(count), 100)).toBeGreaterThanOrEqual(size * 0.99)
    for (const { x, y } of points)
      expect(Math.hypot(x - 50, y - 50)).toBeGreaterThanOrEqual(radius + size / 2)
    expect(radius).toBeGreaterThanOrEqual(17)
  },
)

test('[U102] a seat of fifty can be hit with a finger on a phone', () => {
  // The drawing is 343 pixels wide on the narrowest usual phone.
  expect((tableLayout(50).size / 100) * 343).toBeGreaterThanOrEqual(24)
})

test.each([2, 3, 4, 6, 10])(
  '[U103] no arrow at a table of %i runs through the count in its middle',
  count => {
    const { points } = tableLayout(count)
    for (const from of points)
      for (const to of points) {
        if (from === to) continue
        const [sx = 0, sy = 0, cx = 0, cy = 0, ex = 0, ey = 0] = (
          arrowPath(from, to).match(/-?[\d.]+/g) ?? []
        ).map(Number)
        for (let share = 0; share <= 1; share += 0.05) {
          const [one, two, three] = [(1 - share) ** 2, 2 * share * (1 - share), share ** 2]
          const [x, y] = [one * sx + two * cx + three * ex, one * sy + two * cy + three * ey]
          expect(Math.hypot(x - 50, y - 50)).toBeGreaterThan(12)
        }
      }
  },
)

test('[U265] the edge of the table is marked before the seats that agree, and nowhere else', () => {
  const { points } = tableLayout(4)
  const ends = (edgeBefore([points[0]!, points[2]!], 4, 25).match(/-?[\d.]+ -?[\d.]+(?=A|M|$)/g) ?? []).map(
    place => place.split(' ').map(Number),
  )
  expect(ends).toHaveLength(4)
  // The first seat is at the top, the third at the bottom: their stretches end left and right of them.
  expect(ends.map(([, y = 0]) => y < 50)).toEqual([true, true, false, false])
  expect(ends.map(([x = 0]) => x < 50)).toEqual([true, false, false, true])
  expect(edgeBefore([], 4, 25)).toBe('')
})
