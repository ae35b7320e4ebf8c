/** Numbers as people read them in a narrow column. */
import type { Usage } from '../../core/log/spent.ts'

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

/** 213, 1.2k, 34k, 1.2M */
export const short = (count: number): string => {
  if (count < 1000) return String(Math.round(count))
  if (count < 9_950) return `${(count / 1000).toFixed(1)}k`
  if (count < 999_500) return `${Math.round(count / 1000)}k`
  return `${(count / 1e6).toFixed(1)}M`
}

/** 4.2 s, 75 s, 12 min */
export const seconds = (milliseconds: number): string => {
  const value = milliseconds / 1000
  if (value < 99.95) return `${value.toFixed(1)} s`
  return value < 600 ? `${Math.round(value)} s` : `${Math.round(value / 60)} min`
}

/** $0.0012, $0.012, $0.25, $12.50: digits that say something, and never 0 for something. */
export const dollars = (usd: number): string => {
  if (usd === 0) return '$0'
  if (usd < 0.0001) return '<$0.0001'
  if (usd < 0.01) return `$${usd.toFixed(4)}`
  return `$${usd.toFixed(usd < 0.1 ? 3 : 2)}`
}

export const cost = (usage: Pick<Usage, 'costUsd'> | undefined): string =>
  usage && usage.costUsd !== null ? dollars(usage.costUsd) : ''

export const percent = (share: number): string => `${Math.round(share * 100)}%`
