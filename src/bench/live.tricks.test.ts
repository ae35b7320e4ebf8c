import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type GoldQuestion, questionsFrom } from './live.ts'

const file = readFileSync(new URL('tricks.jsonl', import.meta.url), 'utf8')
const tricks = new Map(questionsFrom(file).map(one => [one.id, one]))
const trick = (id: string): GoldQuestion => tricks.get(id)!

const days = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Strikes at full hours, by the twelve-hour count, and one at each half hour, between two minutes of the day. */
const strikes = (from: number, to: number): number => {
  let sum = 0
  for (let minute = from; minute <= to; minute++) {
    if (minute % 60 === 0) sum += (minute / 60) % 12 || 12
    if (minute % 60 === 30) sum++
  }
  return sum
}

/** How many posts a fence has, put up one after the other. */
const posts = (length: number, gap: number, closed: boolean): number => {
  const places = new Set<number>()
  for (let at = 0; at <= length; at += gap) places.add(closed ? at % length : at)
  return places.size
}

/** Matches until one of so many players is left. */
const matches = (players: number): number => {
  let [left, played] = [players, 0]
  while (left > 1) {
    played += Math.floor(left / 2)
    left = Math.ceil(left / 2)
  }
  return played
}

/** A host who opens a door at random: of the cases in which no prize shows, where switching wins. */
const forgetfulHost = (): string => {
  let [shown, switching] = [0, 0]
  for (const prize of [0, 1, 2])
    for (const opened of [1, 2]) {
      if (opened === prize) continue
      shown++
      if (prize === 3 - opened) switching++
    }
  return switching * 2 === shown ? 'It makes no difference' : 'It makes one'
}

const ill = (0.001 * 0.99) / (0.001 * 0.99 + 0.999 * 0.05)
const quoted = (id: string): string => /"(.+)"/.exec(trick(id).question.text)![1]!

/** Each one worked out again, in another way than by writing the answer down. */
const computed: Readonly<Record<string, () => unknown>> = {
  'letter-count': () => quoted('letter-count').match(/e/gi)!.length,
  'backwards-letter': () => [...quoted('backwards-letter')].reverse()[4],
  'straight-fence': () => posts(84, 7, false),
  'round-fence': () => posts(84, 7, true),
  'clock-strikes': () => strikes(9 * 60 + 15, 14 * 60 + 45),
  'century-leap': () => days('2100-02-01', '2100-03-01'),
  'up-then-down-same': () => ['The same', 'Higher', 'Lower'].at(Math.sign(100 * 1.25 * 0.8 - 100)),
  'up-then-down': () => 150 * 1.3 * 0.7,
  'mean-speed': () => 24 / (12 / 10 + 12 / 30),
  'between-in-row': () => Array.from({ length: 20 }, (_, place) => place + 1).slice(8, 20 - 9).length,
  'all-but': () => Array.from({ length: 50 }, (_, n) => n + 7).find(n => n - 5 + (n - 6) + (n - 7) === n),
  'base-seven': () => Number((6 * 6).toString(7)),
  'weekday-shift': () => weekdays[(2 - 2 + 100) % 7],
  'clocks-back': () => {
    const arrival = 23 * 60 + 50 + 95 - 60 - 24 * 60
    return `${Math.floor(arrival / 60)}:${arrival % 60}`
  },
  'quarter-full': () =>
    Array.from({ length: 31 }, (_, hour) => hour).find(hour => 2 ** ((hour - 30) / 3) >= 0.25),
  'saw-two-logs': () => [5, 9].reduce((sum, pieces) => sum + (pieces - 1) * 4, 0),
  tablets: () => Array.from({ length: 6 }, (_, tablet) => tablet * 40).at(-1),
  'elder-girl': () => {
    const families = ['gg', 'gb', 'bg', 'bb'].filter(([elder]) => elder === 'g')
    return `${families.filter(family => family === 'gg').length}/${families.length}`
  },
  'forgetful-host': forgetfulHost,
  'rare-illness': () => `About ${Math.round(ill * 100)} %`,
  'words-in-itself': () => (quoted('words-in-itself').split(' ').length === 6 ? 'Yes' : 'No'),
  'python-floor': () => Math.floor(-7 / 2),
  'javascript-sort': () => [10, 9, 1].sort().join('-'),
  'scale-model': () => 1_000_000 / 50 ** 3,
  'dried-mushrooms': () => (60 * (1 - 0.95)) / (1 - 0.9),
  'knock-out': () => matches(37),
}

test('[B52] forty trick questions ship with it, each with its answer and why it is tricky', () => {
  expect(tricks.size).toBe(40)
  for (const { why, gold, question } of tricks.values()) {
    expect(why).toMatch(/^.{30,}\.$/)
    expect(question.format).not.toBe('open')
    expect(gold).toBeDefined()
  }
})

test.each(Object.entries(computed))('[B53] the answer of %s is what a computation gives', (id, compute) => {
  const { gold } = trick(id)
  if (typeof gold === 'number') expect(compute()).toBeCloseTo(gold, 9)
  else expect(compute()).toBe(gold)
})

test('[B53] right answers do not all stand at the same place', () => {
  const places = [...tricks.values()]
    .filter(({ question }) => question.format === 'choice')
    .map(({ question, gold }) => question.options.indexOf(String(gold)))
  for (const place of [0, 1, 2, 3]) expect(places.filter(one => one === place).length).toBeGreaterThan(1)
})
