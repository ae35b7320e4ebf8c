import { expect, test } from 'vitest'
import { sampleLog } from '../../test/sample-session.ts'
import { hostileLog } from '../../test/web/hostile.ts'
import { fold } from '../core/fold.ts'
import { linesOf, pictureOf, pictureSize, pictureSvg, textWidth } from './shared-page.ts'

const session = fold(sampleLog)
const wordsIn = (svg: string): string =>
  [...svg.matchAll(/>([^<>]+)<\/text>/g)].map(match => match[1]).join(' ')

test('[H63] the picture has the question, the answer, how many agree, and the table', () => {
  const svg = pictureSvg(session)
  const words = wordsIn(svg)
  expect(words).toContain('Is a hot dog a sandwich?')
  expect(words).toContain('A hot dog is not a sandwich.')
  expect(words).toContain('No majority: 3 of 6 agree')
  expect(svg).toContain('url(#camp-1)')
  expect(svg).not.toContain('var(')
  const running = wordsIn(pictureSvg(fold(sampleLog.slice(0, 2))))
  expect(running).toContain('6 models, still running')
})

test('[H63] words in a script that the fonts lack are left out, and the flow takes their place', () => {
  const question = { ...session.question, text: '热狗是三明治吗？' }
  const svg = pictureSvg({ ...session, question })
  expect(wordsIn(svg)).not.toContain('热')
  expect(svg).toContain('Position flow')
})

test('[H63] it is a PNG of the stated size, also for hostile texts', { timeout: 60_000 }, async () => {
  for (const one of [session, fold(hostileLog())]) {
    const png = await pictureOf(one)
    expect(png.subarray(1, 4).toString('latin1')).toBe('PNG')
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([pictureSize.width, pictureSize.height])
  }
})

test('[H87] letters and names of any length are drawn', { timeout: 60_000 }, async () => {
  for (const long of ['W'.repeat(2_000), `a${'\u0301'.repeat(1_999)}`]) {
    const seats = session.seats.map(seat => ({ ...seat, alias: long, name: long }))
    for (const text of ['Is it?', '热狗是三明治吗？'])
      expect(await pictureOf({ ...session, seats, question: { ...session.question, text } })).toBeInstanceOf(
        Buffer,
      )
  }
})

test('[H79] lines of the picture are never wider than their place, and say if there was more', () => {
  for (const text of ['W'.repeat(400), 'word '.repeat(200), 'a'.repeat(3_000), 'One line.']) {
    const lines = linesOf(text, 40, 600, 5)
    expect(lines.length).toBeLessThanOrEqual(5)
    for (const line of lines) expect(textWidth(line, 40)).toBeLessThanOrEqual(600)
    expect(lines.at(-1)?.endsWith('…')).toBe(text !== 'One line.')
  }
})
