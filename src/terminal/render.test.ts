import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { answerOf, table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { logOf, sampleHappenings, sampleLog } from '../../test/sample-session.ts'
import { type TestTerminal, testTerminal } from '../../test/terminal.ts'
import { weighedHappenings, weighedLog } from '../../test/weighed-session.ts'
import type { Delta, Happening, LiveEvent } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import { type Renderer, rendererFor } from './render.ts'
import { roundView } from './round-view.ts'
import { noPaint } from './terminal.ts'

let now = 0
beforeEach(() => {
  now = 1_000_000
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
})
afterEach(() => void vi.useRealTimers())

const renderOn = (terminal: TestTerminal): Renderer =>
  rendererFor({ output: terminal, paint: noPaint, clock: () => now })

const pass = (milliseconds: number): void => {
  now += milliseconds
  vi.advanceTimersByTime(milliseconds)
}

const delta = (seat: string, text: string, field: Delta['field'] = 'headline'): LiveEvent => ({
  type: 'delta',
  round: 0,
  seat,
  field,
  text,
})

const shown = (events: readonly LiveEvent[], terminal = testTerminal()): string => {
  const renderer = renderOn(terminal)
  for (const event of events) renderer.take(event)
  renderer.end()
  return terminal.text()
}

/** The same session with another text in place of every text that somebody else wrote. */
const rewritten = (words: string): readonly Happening[] =>
  JSON.parse(
    JSON.stringify(weighedHappenings, (key, value) =>
      [
        'headline',
        'reasoning',
        'message',
        'words',
        'summary',
        'counterpoint',
        'moved',
        'open',
        'unverified',
        'settle',
        'answer',
        'objection',
        'quote',
        'reading',
        'why',
        'name',
        'text',
      ].includes(key) && typeof value === 'string'
        ? words
        : value,
    ),
  )

describe('on a terminal', () => {
  test('[T10] the table is drawn live, a line for each seat with state, headline, tokens, seconds', () => {
    const terminal = testTerminal()
    const renderer = renderOn(terminal)
    for (const event of sampleLog.slice(0, 2)) renderer.take(event)
    renderer.take(delta('s1', 'Filling between'))
    renderer.take(delta('s2', 'Let me see', 'thinking'))
    renderer.take({ type: 'retrying', round: 0, seat: 's3', attempt: 2, why: 'rate limit' })
    renderer.take(sampleLog[6]!)
    renderer.take(sampleLog[7]!)
    pass(2_300)
    expect(terminal.text()).toMatchSnapshot()
    renderer.end()
    expect(terminal.cursorShown).toBe(true)
  })

  test.each([true, false])(
    '[R411] who asks to wait is said once, and in the line of each seat (tty: %s)',
    tty => {
      const terminal = testTerminal(100, 24)
      const renderer = renderOn({ ...terminal, isTTY: tty })
      for (const event of sampleLog.slice(0, 2)) renderer.take(event)
      for (const seat of ['s1', 's2', 's1'])
        renderer.take({
          ...{ type: 'retrying', round: 0, seat, attempt: 1, why: 'lab asks us to wait: 12 s', waits: true },
        })
      pass(300)
      expect(terminal.text().match(/lab asks us to wait: 12 s/g)).toHaveLength(tty ? 2 : 1)
      expect(terminal.text()).not.toContain('try')
      renderer.end()
    },
  )

  test.each([true, false])('[R414] that no model could be reached is said once (tty: %s)', tty => {
    const words = 'No model could be reached: lab refused the connection.'
    const error = { kind: 'network', message: 'lab refused the connection' } as const
    const silent = (seat: string): Happening => ({ type: 'seat-silent', round: 0, seat, error })
    const { events } = table({ seats: 2, rounds: 1, question: yesOrNo }).and(
      { type: 'round-opened', round: 0, sealed: true },
      silent('s1'),
      silent('s2'),
      { type: 'session-stopped', reason: 'failed', words },
      { type: 'session-finished', outcome: 'failed' },
    )
    const text = shown(events, testTerminal(100, 24, tty))
    expect(text.match(/refused the connection/g)).toHaveLength(1)
    expect(text).toContain(words)
    expect(text).not.toContain('Verdict')
  })

  test('[T136] the report is shown while it is written, and the table stays on the screen', () => {
    const terminal = testTerminal(80)
    const renderer = renderOn(terminal)
    for (const event of sampleLog.slice(0, 8)) renderer.take(event)
    renderer.take(delta('moderator', 'Bread on both sides.\nNobody eats it otherwise. ', 'points'))
    renderer.take(delta('moderator', 'It is a sandwich. '))
    pass(100)
    const screen = terminal.text()
    expect(screen).toContain('Report, as it is written:')
    expect(screen).toMatch(/Bread on both sides\.\n +Nobody eats it otherwise\.\n +It is a sandwich\./)
    expect(screen).toMatch(/^ A /m)
    expect(screen).toMatch(/^ The report is being written · the last step, /m)
    for (const event of sampleLog.slice(8)) renderer.take(event)
    expect(terminal.text().split('Report, as it is written:').at(-1)).not.toMatch(/^ +It is a sandwich\. $/m)
    renderer.end()
  })

  test('[P67] an advocate is seen speaking, by its latest words', () => {
    const terminal = testTerminal(80)
    const renderer = renderOn(terminal)
    for (const event of sampleLog.slice(0, 8)) renderer.take(event)
    const said = `It all began ${'and went on '.repeat(8)}to its end.`
    renderer.take({ type: 'delta', round: 0, turn: 0, seat: 's1', field: 'reasoning', text: said })
    const line = () =>
      terminal
        .text()
        .split('\n')
        .findLast(one => one.startsWith(' A '))
    expect(line()).toMatch(/▸ speaking +….*to its end\./)
    renderer.take({
      ...{ type: 'statement-made', round: 0, turn: 0, seat: 's1', position: 8, at: sampleLog[7]!.at },
      said: { argument: said, question: null },
    })
    pass(100)
    expect(line()).not.toContain('speaking')
    renderer.end()
  })

  test('[P80] a seat is seen at its points, then at its reasons, then at its headline', () => {
    const terminal = testTerminal(80)
    const renderer = renderOn(terminal)
    for (const event of sampleLog.slice(0, 2)) renderer.take(event)
    const line = (): string | undefined => {
      pass(100)
      return terminal
        .text()
        .split('\n')
        .findLast(one => one.startsWith(' A '))
    }
    renderer.take(delta('s1', '“It floods.” The map says', 'points'))
    expect(line()).toMatch(/weighing +The map says/)
    renderer.take(delta('s1', `It did. Now ${'and again '.repeat(8)}it holds`, 'reasoning'))
    expect(line()).toMatch(/▸ writing +….*it holds/)
    renderer.take(delta('s1', `Build it, ${'and again '.repeat(8)}`))
    expect(line()).toMatch(/▸ writing +Build it, and/)
    renderer.end()
  })

  test('[T11] rounds, moves with their cause, tally, verdict and report stay on the screen', () => {
    expect(shown(sampleLog)).toMatchSnapshot()
  })

  test('[E21] every part of a report stays on the screen, once', () => {
    const report = {
      answer: 'A hot dog is not a sandwich.',
      summary: 'The bun decides it. (Claude Sonnet 4.6: “one piece of bread”)',
      reasons: [{ reason: 'The bun decides it.', seat: 's1', quote: 'one piece of bread' }],
      open: 'What a court would say.',
      settle: 'A survey at the counter.',
    }
    const text = shown(
      logOf(sampleHappenings.map(event => (event.type === 'report-written' ? { ...event, report } : event))),
    )
    for (const part of [
      'What carried it: The bun decides it.',
      'What stayed open: What a court',
      'A survey at',
    ])
      expect(text.split(part)).toHaveLength(2)
  })

  test("[T12] a seat's first token is drawn at once, later ones at most 20 times a second", () => {
    const terminal = testTerminal()
    const renderer = renderOn(terminal)
    for (const event of sampleLog.slice(0, 2)) renderer.take(event)
    const before = terminal.writes.length
    renderer.take(delta('s4', 'First'))
    expect(terminal.writes.length).toBe(before + 1)
    expect(terminal.text()).toContain('First')
    for (let count = 0; count < 1000; count++) {
      renderer.take(delta('s4', '.'))
      pass(1)
    }
    expect(terminal.writes.length - before).toBeLessThanOrEqual(21)
    renderer.end()
  })

  test('[T13] more seats than rows: those at work are shown, the others are summed up', () => {
    const many = Array.from({ length: 50 }, (_, index) => ({
      id: `s${index + 1}`,
      alias: `A${index}`,
      name: `Model ${index}`,
      model: `lab/m${index}`,
    }))
    const terminal = testTerminal(80, 12)
    const renderer = renderOn(terminal)
    const [opened, ...rest] = sampleHappenings
    const log = logOf([{ ...opened, seats: many } as Happening, ...rest.slice(0, 7)])
    for (const event of log) renderer.take(event)
    const frame = terminal
      .text()
      .split('\n')
      .slice(
        terminal
          .text()
          .split('\n')
          .findIndex(line => line.includes('Sealed round')),
      )
    expect(frame.length).toBeLessThan(12)
    expect(frame).toContain(' … and 43 more: 4 answered, 1 silent, 1 abstained, 37 waiting')
    expect(frame[1]).toContain('Model 6')
    renderer.end()
  })

  test('[T13] a terminal that does not know its size is taken for a usual one', () => {
    const terminal = { ...testTerminal(80), columns: 0, rows: 0 }
    const renderer = renderOn(terminal)
    for (const event of sampleLog.slice(0, 4)) renderer.take(event)
    expect(terminal.text()).not.toContain('more:')
    renderer.end()
  })

  test('[T14] a window that gets narrower leaves no rest of an old frame behind', () => {
    const terminal = testTerminal(100, 24)
    const renderer = renderOn(terminal)
    for (const event of sampleLog.slice(0, 3)) renderer.take(event)
    terminal.resize(60)
    pass(250)
    terminal.resize(90)
    pass(250)
    expect(terminal.text().match(/Sealed round/g)).toHaveLength(1)
    renderer.end()
  })

  test('[T120] a round shows how seats read the question, what they say of points, and what became of answers', () => {
    const text = shown(weighedLog)
    const round = text.slice(text.indexOf('── Sealed round'), text.indexOf('── Verdict'))
    expect(round).toMatchSnapshot()
  })

  test('[T120] with the reasoning come the points in whole', () => {
    const session = fold(weighedLog)
    const look = { columns: 80, paint: noPaint, full: true }
    expect(roundView(session, session.roundsSoFar[1]!, look).slice(0, 22).join('\n')).toMatchSnapshot()
  })

  test('[T120] while a round runs, the latest concession is above what is going on', () => {
    const terminal = testTerminal()
    const renderer = renderOn(terminal)
    const first = weighedLog.findIndex(event => event.type === 'answer-given' && event.round === 1)
    for (const event of weighedLog.slice(0, first + 1)) renderer.take(event)
    pass(100)
    expect(terminal.text()).toMatch(
      /\n A conceded a point to C\n Waiting for 5 of 6 seats · at most 3 steps, likely under /,
    )
    renderer.end()
  })

  test('[T134] while a session runs, the verdict so far is shown, named so, with who is waited for and how long still', () => {
    const terminal = testTerminal()
    const renderer = renderOn(terminal)
    const second = sampleLog.findIndex(event => event.type === 'round-opened' && event.round === 1)
    for (const event of sampleLog.slice(0, second)) renderer.take(event)
    pass(100)
    expect(terminal.text()).toMatch(/\n So far, after the sealed round: Tie: 2 for Yes, 2 for No/)
    expect(terminal.text()).toMatch(
      /\n The moderator is reading the answers · at most \d steps?, (about |likely |less than )/,
    )
    for (const event of sampleLog.slice(second, second + 5)) renderer.take(event)
    pass(100)
    expect(terminal.text()).toMatch(/\n Waiting for \S.*( · a|\n A)t most 3 steps, (about|likely under) /)
    for (const event of sampleLog.slice(second + 5)) renderer.take(event)
    expect(terminal.text()).not.toContain('So far,')
    renderer.end()
  })

  test('[T187] a round that an answer can still come for is printed when it came, with the answer', () => {
    const terminal = testTerminal()
    const renderer = renderOn(terminal)
    const begun = table({ seats: 3, rounds: 1, question: yesOrNo })
      .round(0, ['Yes', 'No'])
      .and({ type: 'seat-overdue', round: 0, seat: 's3', by: 'person' })
      .round(1, ['Yes'])
    const answer = { ...answerOf(yesOrNo, 'Yes'), headline: 'Late but true' }
    const whole = begun.and({ type: 'answer-given', round: 0, seat: 's3', answer })
    for (const event of begun.events) renderer.take(event)
    pass(100)
    expect(terminal.text()).not.toContain('Sealed round ·')
    renderer.take(whole.events.at(-1)!)
    pass(100)
    expect(terminal.text().match(/Sealed round ·/g)).toHaveLength(1)
    expect(terminal.text()).toContain('Late but true')
    renderer.end()
  })

  test('[T157] a narrow terminal shows the time left and the verdict so far on lines of their own, a low one cuts them', () => {
    const second = sampleLog.findIndex(event => event.type === 'round-opened' && event.round === 1)
    const screen = (rows: number): string => {
      const terminal = testTerminal(44, rows)
      const renderer = renderOn(terminal)
      for (const event of sampleLog.slice(0, second)) renderer.take(event)
      pass(100)
      renderer.end()
      return terminal.writes.at(-2) ?? ''
    }
    expect(screen(24)).toMatch(
      /\n The moderator is reading the answers\S*\n At most \d steps, (about|likely under) [^…]*\n/,
    )
    expect(screen(24)).toMatch(/\n So far, after the sealed round: Tie: 2 for\S*\n Yes, 2 for No/)
    expect(screen(12)).toMatch(/\n So far, after the sealed round: [^\n]*…/)
    expect(screen(12)).toMatch(/\n The moderator is reading the answers · [^\n]*…/)
  })

  test.each([40, 60, 80, 120, 200])('[T15] no line is wider than %i columns', columns => {
    expect(() => shown(sampleLog, testTerminal(columns))).not.toThrow()
    expect(() =>
      shown(logOf(rewritten('日本語のとても長い文です。👩‍👩‍👧 '.repeat(9))), testTerminal(columns)),
    ).not.toThrow()
  })
})

describe('model text is data', () => {
  const hostile = 'x\x1b[2J\x1b]0;owned\x07\x9b31m\r\b\u202e\ny'

  test.each([true, false])('[T20] no escape sequence of a model reaches the terminal (tty: %s)', tty => {
    const terminal = testTerminal(tty ? 80 : 300, 24, tty)
    const renderer = renderOn(terminal)
    for (const event of logOf(rewritten(hostile))) {
      renderer.take(event)
      if (event.type === 'round-opened')
        renderer.take({ ...delta('s1', hostile), round: event.round } as Delta)
      if (event.type === 'round-opened')
        renderer.take({ type: 'retrying', round: event.round, seat: 's2', attempt: 2, why: hostile })
    }
    renderer.end()
    expect(terminal.text()).toMatch(/xy|x y/)
    const foreign = terminal.writes.join('').replace(/\x1b\[(?:\d+A|K|J|\?25[lh])/g, '')
    expect(tty ? foreign.replaceAll('\r', '') : terminal.writes.join('')).not.toMatch(
      /[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]/,
    )
  })
})

describe('without a terminal', () => {
  test('[T16] plain lines as things happen, without a single control sequence', () => {
    const terminal = testTerminal(300, 24, false)
    const text = shown(sampleLog, terminal)
    expect(terminal.writes.join('')).not.toContain('\x1b')
    expect(text).toMatchSnapshot()
  })

  test('[T120] a concession has a line below the answer, and a word unlike the move is called so', () => {
    const text = shown(weighedLog, testTerminal(300, 24, false))
    expect(text).toContain('\n A GLM 4.7 conceded a point to C Claude Sonnet 4.6\n')
    expect(text).toContain('\n C Claude Sonnet 4.6 narrowed its answer\n')
    expect(text).toContain(
      'B Gemini 3.5 Flash changed its mind: credits nobody; says it kept its answer; its answer is in another camp',
    )
    expect(text).not.toContain('B Gemini 3.5 Flash conceded')
  })
})

test.each([false, true])(
  '[T408] a fork shows its own protocol and table, not those of its parent (live: %s)',
  isTTY => {
    const [opened, ...rest] = table({ seats: 2, question: yesOrNo, protocol: 'poll' })
      .and()
      .round(0, ['Yes', 'No']).events
    const session = fold([opened!, ...rest])
    const at = rest.at(-1)!.at
    const events: LiveEvent[] = [
      { ...opened!, forkedFrom: { session: 'parent', round: 0 } } as LiveEvent,
      ...rest,
      {
        ...{ type: 'session-forked', position: rest.length + 1, at, seats: [...session.seats] },
        ...{ moderator: null, protocol: 'cross-examination', rounds: 1, names: 'hidden', deadline: 60 },
      } as LiveEvent,
    ]
    const text = shown(events, testTerminal(120, 24, isTTY))
    expect(text).toContain('Cross-examination')
    expect(text).not.toContain('Poll')
  },
)
