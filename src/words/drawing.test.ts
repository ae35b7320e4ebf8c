import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Said, silent, table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { sampleLog } from '../../test/sample-session.ts'
import { fold } from '../core/fold.ts'
import { campNumbers } from '../count/moves.ts'
import { shape, svgText } from './camp-patterns.ts'
import { countWords, flowDrawing, palette, tableDrawing } from './pictures.ts'

const session = fold(sampleLog)
const numbers = campNumbers(session)

describe('drawings', () => {
  test('[X33] the table shows every seat with its letter, its name and its camp, and the count', () => {
    const table = svgText(tableDrawing(session, numbers))
    for (const { alias, name } of session.seats) {
      expect(table).toContain(`>${alias}</text>`)
      expect(table).toContain(`>${name}</text>`)
    }
    expect(table).toContain('>3 of 6</text>')
    expect(table.match(/url\(#camp-1\)/g)?.length).toBeGreaterThanOrEqual(3)
    // The silent seat has no camp, and says so.
    expect(table).toContain('stroke="var(--bad)"')
  })

  test('[X33] the flow has a ribbon for each seat, and the letters of those in a camp', () => {
    const flow = svgText(flowDrawing(session, numbers)!)
    expect(flow.match(/<path d="M/g)).toHaveLength(session.seats.length)
    expect(flow).toContain('>Sealed</text>')
    const letters = [...flow.matchAll(/>([A-F](?: [A-F])*)<\/text>/g)].map(match => match[1])
    expect(new Set(letters.join(' ').split(' ')).size).toBe(session.seats.length)
    expect(flowDrawing(fold(sampleLog.slice(0, 2)), numbers)).toBeUndefined()
  })

  test('[U109] the flow marks a round that was not counted', () => {
    const stopped = table({ id: 'stopped', seats: 3, question: yesOrNo })
      .round(0, ['Yes', 'Yes', 'No'])
      .round(1, ['No'])
      .stop('budget')
      .and({ type: 'session-finished', outcome: 'budget' }).session
    const flow = svgText(flowDrawing(stopped, campNumbers(stopped))!)
    expect(flow).toContain('>Sealed</text>')
    expect(flow).toContain('>Round 1, not counted</text>')
    expect(svgText(flowDrawing(session, numbers)!)).not.toContain('not counted')
  })

  test('[V91] a table of one has answered; nobody agreed', () => {
    const finished = { type: 'session-finished', outcome: 'verdict' } as const
    const middle = (said: Said): string => {
      const log = table({ id: 'alone', seats: 1, question: yesOrNo }).round(0, [said]).and(finished)
      return countWords(log.session).join(' ')
    }
    expect(middle('Yes')).toBe('1 of 1 answered')
    expect(middle(silent())).toBe('0 of 1 answered')
    expect(countWords(session).at(-1)).toBe('agree')
  })

  test('[X34] names in a drawing never become markup', () => {
    const text = svgText(shape('text', { 'aria-label': '"><script>' }, '<img src=x onerror=1>\0'))
    expect(text).not.toMatch(/<script|<img/)
    expect(text).toBe('<text aria-label="&#34;&#62;&#60;script&#62;">&#60;img src=x onerror=1&#62; </text>')
  })

  test('[H63] the colours are those of the pages', () => {
    const theme = readFileSync(new URL('../web/theme.css', import.meta.url), 'utf8')
    for (const [name, [light, dark]] of Object.entries(palette))
      expect(theme).toContain(`--${name}: light-dark(${light}, ${dark});`)
  })
})
