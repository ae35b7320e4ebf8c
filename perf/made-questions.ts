/** Arithmetic and trick questions with their answers, made by code: the same seed gives the same questions. */
import { randomFor } from '../src/core/basics.ts'

/** In the form of a file for `bench live`. */
interface MadeQuestion {
  readonly id: string
  readonly question: string
  readonly options?: readonly string[]
  readonly gold: string | number
}

type Made = Omit<MadeQuestion, 'id'>
/** A whole number from the first to the second. */
type Pick = (from: number, to: number) => number

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

const kinds: Readonly<Record<string, (pick: Pick) => Made>> = {
  sum(pick) {
    const [has, more] = [pick(3, 19), pick(3, 19)]
    const question = `Anna has ${has} apples and buys ${more} more. How many apples does she have now?`
    return { question, gold: has + more }
  },
  product(pick) {
    const [each, boxes] = [pick(3, 9), pick(3, 9)]
    return {
      question: `A box holds ${each} eggs. How many eggs are in ${boxes} boxes?`,
      gold: each * boxes,
    }
  },
  steps(pick) {
    const [has, loses, finds] = [pick(10, 20), pick(2, 9), pick(2, 9)]
    const question = `Tom has ${has} coins. He loses ${loses} and then finds ${finds}. How many coins does he have?`
    return { question, gold: has - loses + finds }
  },
  allBut(pick) {
    const left = pick(3, 9)
    const question = `A farmer has ${left + pick(4, 12)} sheep. All but ${left} run away. How many sheep are left?`
    return { question, gold: left }
  },
  decimals(pick) {
    const [large, small] = [`${pick(2, 9)}.9`, `.${pick(10, 19)}`]
    const other = `${large.split('.')[0]}${small}`
    const options = pick(0, 1) === 0 ? [large, other] : [other, large]
    return { question: 'Which number is larger?', options, gold: large }
  },
  order(pick) {
    const names = ['Ben', 'Carl', 'Dora', 'Eva']
    const [tall, middle, short] = [0, 1, 2].map(() => names.splice(pick(0, names.length - 1), 1)[0]!)
    const isTallest = pick(0, 1) === 0
    return {
      question: `${tall} is taller than ${middle}. ${middle} is taller than ${short}. Who is the ${isTallest ? 'tallest' : 'shortest'}?`,
      options: [tall!, middle!, short!].sort(),
      gold: (isTallest ? tall : short)!,
    }
  },
  weekday(pick) {
    const [today, later] = [pick(0, 6), pick(2, 5)]
    return {
      question: `Today is ${days[today]}. Which day is it in ${later} days?`,
      options: days,
      gold: days[(today + later) % 7]!,
    }
  },
}

export const madeQuestions = (count: number, seed: string): MadeQuestion[] =>
  Array.from({ length: count }, (_, index) => {
    const names = Object.keys(kinds)
    const kind = names[index % names.length]!
    const random = randomFor(`${seed} ${kind} ${index}`)
    const pick: Pick = (from, to) => from + Math.floor(random() * (to - from + 1))
    return { id: `${kind}-${index}`, ...kinds[kind]!(pick) }
  })

if (import.meta.main) {
  const [count = '70', seed = '1'] = process.argv.slice(2)
  for (const question of madeQuestions(Number(count), seed)) console.log(JSON.stringify(question))
}
