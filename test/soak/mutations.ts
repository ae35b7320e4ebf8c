/** Mutations of session files: small damage to real ones, so that most of the file still makes sense. */
import { between, pick, type Random } from './pick.ts'

const numbers = [-1, 0, 0.5, 1e-9, 2 ** 31, 2 ** 32 - 296, 2 ** 53, 1e21, 1e308, -1e308]
const texts = [
  '',
  '\0',
  '\ud800',
  '\u202e',
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  'house//etc/hostname',
  '1e309',
  '2026-13-45T99:99:99Z',
  '\u001b[2J',
  '</script><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  "'; DROP TABLE sessions; --",
  'eventually '.repeat(30),
  ' '.repeat(20_000),
  '\n'.repeat(20_000),
  'a'.repeat(50_000),
]
const values = (random: Random): unknown =>
  pick<() => unknown>(random, [
    () => null,
    () => true,
    () => [],
    () => ({}),
    () => pick(random, numbers),
    () => pick(random, texts),
    () => Array.from({ length: between(random, 1, 3_000) }, () => pick(random, numbers)),
  ])()

type Container = Record<string, unknown> | unknown[]

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null

/** Somewhere in the document, the deep places as often as the shallow ones. */
const placeIn = (document: Container, random: Random): { holder: Container; key: string } | undefined => {
  const places: { holder: Container; key: string }[] = []
  const visit = (holder: Container): void => {
    for (const [key, value] of Object.entries(holder)) {
      places.push({ holder, key })
      if (isContainer(value)) visit(value)
    }
  }
  visit(document)
  return places.length > 0 ? pick(random, places) : undefined
}

const remove = (holder: Container, key: string): void => {
  if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else delete holder[key]
}

const damages: readonly ((holder: Container, key: string, random: Random) => void)[] = [
  (holder, key, random) => Object.assign(holder, { [key]: values(random) }),
  (holder, key) => remove(holder, key),
  (holder, key, random) => {
    const value = (holder as Record<string, unknown>)[key]
    if (!Array.isArray(holder)) Object.assign(holder, { [pick(random, texts)]: value })
    else
      for (let times = pick(random, [1, 2, 500]); times > 0; times--)
        holder.splice(Number(key), 0, structuredClone(value))
  },
  (holder, _, random) => {
    if (Array.isArray(holder)) holder.sort(() => random() - 0.5)
    else Object.assign(holder, { [pick(random, texts)]: values(random) })
  },
]

const damagedDocument = (text: string, random: Random): string => {
  const document = JSON.parse(text) as Container
  for (let times = between(random, 1, 4); times > 0; times--) {
    const place = placeIn(document, random)
    if (place) pick(random, damages)(place.holder, place.key, random)
  }
  return JSON.stringify(document)
}

const damagedText = (text: string, random: Random): string => {
  const at = Math.floor(random() * text.length)
  return pick<() => string>(random, [
    () => text.slice(0, at),
    () => text.slice(at),
    () => text.slice(0, at) + pick(random, texts) + text.slice(at),
    () => text.slice(0, at) + text.slice(at + between(random, 1, 200)),
    () => text.slice(0, at) + String.fromCharCode(between(random, 0, 0xff)) + text.slice(at + 1),
    () => text + text,
  ])()
}

/** Sometimes under a new id, so that it doesn't stop at "is already saved". */
const renamed = (text: string, random: Random): string => {
  const ending = random().toString(36).slice(2, 8)
  return random() < 0.7 ? text.replaceAll(/\b\d{8}-[a-z0-9]+/g, id => `${id}${ending}`) : text
}

export const mutated = (text: string, random: Random): string => {
  const whole = renamed(text, random)
  return whole.startsWith('{') && random() < 0.85
    ? damagedDocument(whole, random)
    : damagedText(whole, random)
}
