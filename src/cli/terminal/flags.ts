/** Reads the values of flags. */
import { UsageError } from '../../core/errors.ts'
import type { Budget } from '../../core/log/event.ts'
import { type Format, formats } from '../../core/question/question.ts'

const trimmed = (parts: readonly string[]): string[] =>
  parts.map(part => part.trim()).filter(part => part !== '')

/** "a,b,c" */
export const listFrom = (text: string): string[] => trimmed(text.split(','))

/** "Yes,No", or "Yes, gladly|No, never" if an option has a comma. */
export const optionsFrom = (text: string): string[] => trimmed(text.split(text.includes('|') ? '|' : ','))

const amount = (text: string): number | undefined => {
  const value = /^(?:\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : undefined
  return value !== undefined && value > 0 ? value : undefined
}

/** "0.50", "$0.50", "20000tokens", or "0.50,20000tokens" */
export const budgetFrom = (text: string): Budget => {
  const budget: { usd?: number; tokens?: number } = {}
  for (const part of listFrom(text)) {
    const tokens = /^(\S+?)\s*tok(?:ens?)?$/i.exec(part)
    const value = amount(tokens ? tokens[1]! : part.replace(/^\$|\s*(?:usd|dollars?)$/gi, ''))
    const field = tokens ? 'tokens' : 'usd'
    if (value === undefined || budget[field] !== undefined) {
      throw new UsageError(
        `--budget ${text}: write dollars as 0.50, tokens as 20000tokens, or both with a comma.`,
      )
    }
    budget[field] = value
  }
  if (Object.keys(budget).length === 0) throw new UsageError('--budget is empty: write 0.50 or 20000tokens.')
  return budget
}

export const numberFrom =
  (flag: string, least: number, most = Number.POSITIVE_INFINITY) =>
  (text: string): number => {
    const value = text.trim() === '' ? Number.NaN : Number(text)
    if (Number.isFinite(value) && value >= least && value <= most) return value
    const range = most === Number.POSITIVE_INFINITY ? `of at least ${least}` : `from ${least} to ${most}`
    throw new UsageError(`${flag} ${text}: give a number ${range}.`)
  }

export const wholeNumberFrom =
  (flag: string, least: number, most?: number) =>
  (text: string): number => {
    const value = numberFrom(flag, least, most)(text)
    if (Number.isSafeInteger(value)) return value
    throw new UsageError(`${flag} ${text}: give a whole number.`)
  }

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3_600, d: 86_400 }

/** Seconds: "90s", "30m", "24h", "3d", or a plain number of seconds. */
export const durationFrom =
  (flag: string, most: number) =>
  (text: string): number => {
    const [, count = '', unit = 's'] = /^([\d.]+)\s*(s|m|min|h|d)?$/i.exec(text.trim()) ?? []
    const seconds = Number(count) * (unitSeconds[unit.toLowerCase()] ?? Number.NaN)
    if (count !== '' && seconds > 0 && seconds <= most) return seconds
    throw new UsageError(
      `${flag} ${text}: give a time such as 90s, 30m, 24h or 3d, up to ${Math.floor(most / 86_400)} days.`,
    )
  }

export const roundsFrom = (text: string): number => {
  const value = numberFrom('--rounds', 0, 4)(text)
  if (Number.isInteger(value)) return value
  throw new UsageError(`--rounds ${text}: give a whole number from 0 to 4.`)
}

export const formatFrom = (text: string): Format => {
  const found = formats.find(one => one === text)
  if (found) return found
  throw new UsageError(`There is no format "${text}": choose one of ${formats.join(', ')}.`)
}

/** The values of a flag that is repeated. */
export const several = (value: string, before: readonly string[] = []): string[] => [...before, value]
