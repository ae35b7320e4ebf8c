import { setImmediate } from 'node:timers/promises'
import { describe, expect, inject, test } from 'vitest'
import type { ForeignReader } from './reader.ts'
import { type WorstCase, worstCases } from './worst-cases.ts'

/** A first look. What takes no time here would take less than a second for 100 KB, even if it grew with the square. */
const glance = { small: 1_250, large: 5_000, noticeable: 2, mostGrowth: 7 }
/** Four times the text takes four times as long if it is read once, and sixteen times as long if each character is read for each other. */
const measurement = { small: 25_000, large: 100_000, noticeable: 80, mostGrowth: 9 }
/** A pattern that doubles its work with each piece is found here, before it takes hours. */
const fewPieces = [6, 10, 14, 18, 22, 26, 30]
const tooLong = 300

const nothing = new Int32Array(new SharedArrayBuffer(4))

/**
 * Milliseconds of this thread: others use the machine too, and the clock would count their time.
 * The system adds them up when a thread stops running, else only every few milliseconds, so it stops for a moment.
 */
const threadTime = (): number => {
  Atomics.wait(nothing, 0, 0, 0.001)
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

const readAll = async ({ read }: ForeignReader, text: string): Promise<void> => {
  try {
    await read(text)
  } catch {
    // A text that is refused is fine, however it is refused.
  }
}

/** By the clock, which is at least the time of the thread: what is quick by it is quick. */
const isQuick = async (reader: ForeignReader, text: string, limit: number): Promise<boolean> => {
  const start = performance.now()
  await readAll(reader, text)
  return performance.now() - start < limit
}

const timeOf = async (reader: ForeignReader, text: string): Promise<number> => {
  const start = threadTime()
  await readAll(reader, text)
  return threadTime() - start
}

/** The middle one of three: one may be slow by what is swept up in it, and one may be counted as nothing. */
const usualTimeOf = async (reader: ForeignReader, text: string): Promise<number> => {
  const times: number[] = []
  for (let run = 0; run < 3; run++) times.push(await timeOf(reader, text))
  return times.sort((one, other) => one - other)[1]!
}

type Timing = (reader: ForeignReader, text: string) => Promise<number>

/** How the time grows with four times the text, if that is too much. */
const growthBy = async (
  time: Timing,
  reader: ForeignReader,
  worst: WorstCase,
  { small, large, noticeable, mostGrowth }: typeof glance,
): Promise<string | undefined> => {
  const [before, after] = [await time(reader, worst.text(small)), await time(reader, worst.text(large))]
  if (after < noticeable || after < mostGrowth * before) return undefined
  return `${worst.name}: ${Math.round(before)} ms, then ${Math.round(after)} ms for four times the text`
}

/** Most functions take no time, and of the others most are cleared by one look: only the rest is measured with care. */
const growthOf = async (reader: ForeignReader, worst: WorstCase): Promise<string | undefined> => {
  if (await isQuick(reader, worst.text(glance.large), glance.noticeable)) return undefined
  return (
    (await growthBy(timeOf, reader, worst, glance)) &&
    (await growthBy(usualTimeOf, reader, worst, glance)) &&
    (await growthBy(timeOf, reader, worst, measurement)) &&
    growthBy(usualTimeOf, reader, worst, measurement)
  )
}

const complaintOf = async (reader: ForeignReader, worst: WorstCase): Promise<string | undefined> => {
  for (const pieces of fewPieces) {
    const text = worst.text(pieces * worst.piece.length)
    if (!(await isQuick(reader, text, tooLong)) && (await usualTimeOf(reader, text)) > tooLong)
      return `${worst.name}: ${pieces} pieces take too long`
  }
  return growthOf(reader, worst)
}

/** Neighbouring readers get different ones, so that together they try them all. */
const casesFor = (reader: ForeignReader, place: number): WorstCase[] => {
  const oneIn = inject('oneCaseIn')
  return worstCases(reader.beginnings).filter((_, index) => (index + place) % oneIn === 0)
}

/** The tests of one list of readers. Each list has a file of its own, so that they run side by side. */
export const testLinearTime = (readers: readonly ForeignReader[]): void => {
  describe(`[N12] the time of each of ${readers.length} functions that read foreign text grows with the text, not with its square`, () => {
    test.each(readers.map((reader, place) => [reader.name, reader, place] as const))(
      '%s',
      async (_name, reader, place) => {
        const complaints: string[] = []
        for (const worst of casesFor(reader, place)) {
          // Lets the runner report what has been done so far.
          await setImmediate()
          const complaint = await complaintOf(reader, worst)
          if (complaint) complaints.push(complaint)
          if (complaints.length === 3) break
        }
        expect(complaints).toEqual([])
      },
      600_000,
    )
  })
}
