/** Seeded choices. */
export type Random = () => number

export const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)]!

export const between = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1))
