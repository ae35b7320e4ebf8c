/** Plots of recorded debates: how right each round was, and where changes of mind went. */
import type { SetFigures } from '../debates/figures.ts'
import { escaped, figure, fixed, gridOf, leftFor, rangeOf, scale, width } from './plot.ts'

const rowHeight = 22
const yOf = (index: number): number => 20 + index * rowHeight

const nameOf = (name: string, left: number, index: number): string =>
  `<text class="name" x="${left - 14}" y="${yOf(index) + 4}" text-anchor="end">${escaped(name)}</text>`

/** A row for each set: an empty dot for the sealed round, a full one for the last, smaller ones between. */
export const roundPlot = (id: string, title: string, sets: readonly SetFigures[]): string => {
  const left = leftFor(sets.map(({ name }) => name))
  const range = rangeOf(sets.flatMap(({ byRound }) => byRound.map(share => share * 100)))
  const x = scale(range, left, width - 20)
  const bottom = yOf(sets.length) - 8
  const rows = sets.map(({ name, byRound }, index) => {
    const places = byRound.map(share => fixed(x(share * 100)))
    const between = places
      .slice(1, -1)
      .map(cx => `<circle class="dot" cx="${cx}" cy="${yOf(index)}" r="2.5"/>`)
    return [
      nameOf(name, left, index),
      `<polyline class="path" points="${places.map(cx => `${cx},${yOf(index)}`).join(' ')}"/>`,
      ...between,
      `<circle class="dot" cx="${places.at(-1)}" cy="${yOf(index)}" r="5"/>`,
      ...(places.length > 1 ? [`<circle class="start" cx="${places[0]}" cy="${yOf(index)}" r="4"/>`] : []),
    ].join('')
  })
  const words = sets.map(
    ({ name, byRound }) => `${name}: ${byRound.map(share => fixed(share * 100)).join(', then ')}`,
  )
  return figure(id, title, words.join('; '), bottom + 28, gridOf(range, x, bottom) + rows.join(''))
}

/** Bars to both sides of a line: what changes of mind lost, and what they won. */
export const flipPlot = (id: string, title: string, sets: readonly SetFigures[]): string => {
  const left = leftFor(sets.map(({ name }) => name))
  const range = rangeOf([0, ...sets.flatMap(({ flips }) => [flips.better, -flips.worse])])
  const x = scale(range, left, width - 20)
  const bottom = yOf(sets.length) - 8
  const bar = (from: number, to: number, index: number, name: string): string =>
    `<rect class="${name}" x="${fixed(x(from))}" y="${yOf(index) - 6}" width="${fixed(x(to) - x(from))}" height="12"/>`
  const rows = sets.map(
    ({ name, flips }, index) =>
      nameOf(name, left, index) + bar(-flips.worse, 0, index, 'lost') + bar(0, flips.better, index, 'won'),
  )
  const words = sets.map(
    ({ name, flips }) =>
      `${name}: ${flips.better} wrong to right, ${flips.worse} right to wrong, ${flips.other} to another wrong answer`,
  )
  return figure(
    id,
    title,
    words.join('; '),
    bottom + 28,
    gridOf(range, x, bottom, mark => String(Math.abs(mark))) + rows.join(''),
  )
}
