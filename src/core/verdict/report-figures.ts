/** Looks up the figures of a report: each must be in an answer, in what was asked, or among what code counted. */
import type { Session } from '../log/state.ts'
import { type Figure, figuresIn, type Meaning, spelledOut } from './figures-in-text.ts'
import { type Computed, computedIn, materialOf, valuesOf } from './report-material.ts'

interface Known {
  /** Figures in texts, and values of answers. */
  readonly written: ReadonlySet<number>
  readonly sorted: Float64Array
  /** What code computed: it may be rounded without a word. */
  readonly computed: Computed
}

const knownTo = (session: Session): Known => {
  const text = materialOf(session).join('\n')
  const written = new Set([
    ...figuresIn(text).flatMap(({ meanings }) => meanings.map(({ value }) => value)),
    ...spelledOut(text),
    ...valuesOf(session),
  ])
  return { written, sorted: Float64Array.from(written).sort(), computed: computedIn(session) }
}

const remembered = new WeakMap<Session, Known>()

const knownIn = (session: Session): Known => {
  const known = remembered.get(session) ?? knownTo(session)
  remembered.set(session, known)
  return known
}

/** How far a rounded figure may be from the one it stands for: half of its last digit, and never more than 15 %. */
const toleranceOf = ({ value, step }: Meaning): number => Math.min(step / 2, value * 0.15) * 1.000001

const isNear = (sorted: Float64Array, meaning: Meaning): boolean => {
  const tolerance = toleranceOf(meaning)
  let [start, end] = [0, sorted.length]
  while (start < end) {
    const middle = (start + end) >>> 1
    if (sorted[middle]! < meaning.value - tolerance) start = middle + 1
    else end = middle
  }
  return start < sorted.length && sorted[start]! <= meaning.value + tolerance
}

const isComputed = (
  { counts, shares, medians }: Computed,
  { said, measured }: Figure,
  meaning: Meaning,
): boolean => {
  // Zeros at the end of "80 %" may be meant: without "about" it is no rounding of 83 %.
  const closest = Math.min(toleranceOf(meaning), said.includes('%') ? 0.005 : 0.5)
  const near = (value: number): boolean => Math.abs(value - meaning.value) <= closest
  return (
    medians.some(near) ||
    (said.includes('%') ? shares.some(near) : !measured && counts.includes(meaning.value))
  )
}

const isKnown = ({ written, sorted, computed }: Known, figure: Figure): boolean =>
  figure.meanings.some(
    meaning =>
      written.has(meaning.value) ||
      (figure.rounded && isNear(sorted, meaning)) ||
      isComputed(computed, figure, meaning),
  )

/** Whole numbers up to this are ways to count ("3 reasons"); other languages may have spelled them in an answer. */
const mostCounted = ({ language }: Session): number => ((language ?? 'en') === 'en' ? 12 : 100)

const isLookedUp = (session: Session, { said, meanings, measured, inWord }: Figure): boolean =>
  !inWord && (measured || !/^\d+$/.test(said) || !meanings.some(({ value }) => value <= mostCounted(session)))

/** More figures than this nobody reads, and more problems than this nobody mends. */
const mostFigures = 300
const mostProblems = 5

/** What is wrong with the figures of a report, in words. Empty if each of them is known. */
export const figureProblems = (session: Session, report: string): string[] => {
  const figures = figuresIn(report).filter(figure => isLookedUp(session, figure))
  if (figures.length > mostFigures) return [`it has more than ${mostFigures} figures`]
  const unknown = figures.filter(figure => !isKnown(knownIn(session), figure)).map(({ said }) => said)
  return [...new Set(unknown)]
    .slice(0, mostProblems)
    .map(
      said =>
        `no seat gave the figure ${said}, and it isn't in the question: leave it out, or give a figure that is there ("about" if you round it)`,
    )
}
