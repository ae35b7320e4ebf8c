import { expect, test } from 'vitest'
import { memoryStore } from '../store/memory.ts'
import { budgetLine, spentLines } from './command.ts'
import { peopleIn } from './people.ts'

const clock = (): number => Date.UTC(2026, 10, 18)

test('[AC78] a budget is set, shown and ended by name, and what was spent is listed as counts', async () => {
  const archive = memoryStore()
  const { id } = await peopleIn(archive, clock).add({ name: 'Ada', role: 'member' })
  const line = (name: string, flags = {}) => budgetLine(archive, name, flags, clock)
  expect(await line('ada')).toBe('ada: no limit')
  expect(await line('Ada', { perDay: '5', perMonth: '50' })).toBe('Ada: $5 a day, $50 a month')
  expect(await line('Ada', { perDay: '200000', tokens: true })).toBe(
    'Ada: $5 a day, 200,000 tokens a day, $50 a month',
  )
  expect(await line('team', { perMonth: '100' })).toBe('team: $100 a month')
  expect(await line('Ada', { perMonth: 'none' })).toBe('Ada: $5 a day, 200,000 tokens a day')
  await expect(line('Bob', { perDay: '1' })).rejects.toThrow(/Nobody here is called "Bob"/)
  archive.spending = async () => [{ payer: id, day: '2026-11-18', usd: 0.25, tokens: 1_500, calls: 1 }]
  expect(await spentLines(archive, clock)).toEqual([
    'the whole team',
    ...['  today       $0, 0 tokens in 0 calls', '  this month  $0, 0 tokens in 0 calls'],
    '  budget      $100 a month',
    'Ada',
    ...['  today       $0.25, 1,500 tokens in 1 call', '  this month  $0.25, 1,500 tokens in 1 call'],
    '  budget      $5 a day, 200,000 tokens a day',
  ])
})
