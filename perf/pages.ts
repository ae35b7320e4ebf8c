/**
 * What the pages cost the browser, by Chromium's own counters: the script that each page needs, its largest paint and its shifts, the main thread
 * while seats stream, and drawing a large flow. `npm run perf:pages`
 */
import { gzipSync } from 'node:zlib'
import type { CDPSession, Page } from 'playwright-core'
import { sampleLog } from '../test/sample-session.ts'
import { fileOf, largeLog } from '../test/web/hostile.ts'
import { pageWeights } from '../test/web/page-weight.ts'
import { openStage, type Stage } from '../test/web/stage.ts'

const row = (what: string, value: number, unit: string, limit: number): void => {
  const mark = value <= limit ? 'ok' : 'TOO MUCH'
  console.log(
    `${what.padEnd(64)} ${value.toFixed(1).padStart(8)} ${unit.padEnd(4)} ${String(limit).padStart(6)}  ${mark}`,
  )
}

interface Painted {
  /** Milliseconds until the largest text or picture is there. */
  readonly largest: number
  /** How much moved that nobody asked to move: 0 is nothing, 0.1 is too much. */
  readonly shift: number
  /** Kilobytes of compressed script until the page is idle. */
  readonly script: number
}

const painted = async (stage: Stage, path: string): Promise<Painted> => {
  const page = await stage.open('/nowhere')
  const bodies: Promise<Buffer>[] = []
  page.on('response', response => {
    if (response.url().endsWith('.js')) bodies.push(response.body())
  })
  await page.goto(`${stage.address}${path}`)
  await page.waitForLoadState('networkidle')
  const seen = await page.evaluate(
    () =>
      new Promise<Omit<Painted, 'script'>>(resolve => {
        let [largest, shift] = [0, 0]
        const watch = (type: string, note: (entry: PerformanceEntry) => void): void =>
          new PerformanceObserver(list => list.getEntries().forEach(note)).observe({ type, buffered: true })
        watch('largest-contentful-paint', entry => {
          largest = entry.startTime
        })
        watch('layout-shift', entry => {
          shift += (entry as PerformanceEntry & { value: number }).value
        })
        setTimeout(() => resolve({ largest, shift }), 500)
      }),
  )
  const sizes = (await Promise.all(bodies)).map(body => gzipSync(body).length)
  await page.context().close()
  return { ...seen, script: sizes.reduce((sum, size) => sum + size, 0) / 1_000 }
}

/** A session and its share link, so that every page has something to show. */
const pathsOf = async (stage: Stage): Promise<readonly string[]> => {
  const id = await stage.importText(fileOf(sampleLog))
  const reply = await fetch(`${stage.address}/api/sessions/${id}/share`, { method: 'POST' })
  const { path } = (await reply.json()) as { path: string }
  return ['/', `/s/${id}`, path, '/sessions', '/models', `/compare?a=${id}&b=${id}`, '/settings']
}

type Counters = Readonly<Record<string, number>>

const countersOf = async (chromium: CDPSession): Promise<Counters> => {
  const { metrics } = await chromium.send('Performance.getMetrics')
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]))
}

/** In thread time, so other work of the machine doesn't count. */
const counting = async (page: Page): Promise<CDPSession> => {
  const chromium = await page.context().newCDPSession(page)
  await chromium.send('Performance.enable', { timeDomain: 'threadTicks' })
  return chromium
}

interface Load {
  /** Share of the time, from 0 to 1. */
  readonly busy: number
  /** Milliseconds. */
  readonly longest: number
  /** Characters per second from the stream. */
  readonly flow: number
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of wall time and of processor time. */
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** The longest task of the main thread, in milliseconds; processor time if Chromium reports it. */
const longestTask = (trace: Buffer | undefined): number => {
  const { traceEvents } = JSON.parse(trace?.toString() ?? '{"traceEvents":[]}') as {
    traceEvents: TraceEvent[]
  }
  const main = new Set(
    traceEvents.flatMap(({ name, args, pid, tid }) =>
      name === 'thread_name' && args?.name === 'CrRendererMain' ? [`${pid} ${tid}`] : [],
    ),
  )
  const tasks = traceEvents.filter(({ name, pid, tid }) => /RunTask$/.test(name) && main.has(`${pid} ${tid}`))
  return Math.max(0, ...tasks.map(({ dur = 0, tdur = dur }) => tdur)) / 1_000
}

/** Watches seats for some seconds that each write a hundred tokens per second. */
const streaming = async (stage: Stage, seats: number, seconds: number): Promise<Load> => {
  const id = await stage.ask({
    question: 'How much does watching cost?',
    seats: Array.from({ length: seats }, (_, index) => `lab/m${index}`),
    moderator: null,
    protocol: 'poll',
  })
  const page = await stage.open(`/s/${id}`)
  await page
    .getByText('writing')
    .nth(Math.min(seats, 6) - 1)
    .waitFor()
  const chromium = await counting(page)
  let characters = 0
  await chromium.send('Network.enable')
  chromium.on('Network.eventSourceMessageReceived', ({ data }) => {
    characters += (JSON.parse(data) as { text?: string }).text?.length ?? 0
  })
  const browser = page.context().browser()
  await browser?.startTracing(page, {
    categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'],
  })
  const [before, begun] = [await countersOf(chromium), performance.now()]
  await page.waitForTimeout(seconds * 1_000)
  const [after, ended] = [await countersOf(chromium), performance.now()]
  const longest = longestTask(await browser?.stopTracing())
  await fetch(`${stage.address}/api/sessions/${id}/cancel`, { method: 'POST' })
  await page.context().close()
  const spent = (after.TaskDuration ?? 0) - (before.TaskDuration ?? 0)
  return { busy: (spent * 1_000) / (ended - begun), longest, flow: (characters * 1_000) / (ended - begun) }
}

/** Milliseconds of the main thread to redraw the flow of a large table, as after a resize. */
const redrawing = async (stage: Stage): Promise<number> => {
  const id = await stage.importText(fileOf(largeLog(50, 4)))
  const page = await stage.open(`/s/${id}`)
  await page.getByRole('img', { name: /^Position flow/ }).waitFor()
  await page.waitForLoadState('networkidle')
  const chromium = await counting(page)
  const times: number[] = []
  for (const width of [1_200, 1_260, 1_180, 1_240, 1_220]) {
    const before = await countersOf(chromium)
    await page.setViewportSize({ width, height: 800 })
    await page.waitForTimeout(600)
    const after = await countersOf(chromium)
    const sum = (counters: Counters): number =>
      (counters.ScriptDuration ?? 0) + (counters.LayoutDuration ?? 0) + (counters.RecalcStyleDuration ?? 0)
    times.push((sum(after) - sum(before)) * 1_000)
  }
  await page.context().close()
  return times.toSorted((one, other) => one - other)[2] ?? Number.NaN
}

const stage = await openStage({ tokensPerSecond: 100, tokens: 2_500 })
console.log(`${''.padEnd(64)} ${'measured'.padStart(8)}      ${'limit'.padStart(6)}`)
for (const { page, kilobytes } of await pageWeights())
  row(`script that the page "${page}" needs first, compressed`, kilobytes, 'kB', 110)
for (const path of await pathsOf(stage)) {
  const { largest, shift, script } = await painted(stage, path)
  const name = path.replace(/[?/]([^/?]{12,}).*$/, '')
  row(`${name}: script until idle`, script, 'kB', 180)
  row(`${name}: largest paint`, largest, 'ms', 1_000)
  row(`${name}: layout shift, in thousandths`, shift * 1_000, '', 50)
}
for (const seats of [6, 50]) {
  const { busy, longest, flow } = await streaming(stage, seats, 8)
  row(`${seats} seats at 100 tokens/s: main thread busy`, busy * 100, '%', 30)
  row(`${seats} seats at 100 tokens/s: longest task`, longest, 'ms', 100)
  console.log(`  each seat wrote ${(flow / seats).toFixed(0)} characters per second`)
}
row('redrawing the flow of 50 seats and 4 open rounds, with its page', await redrawing(stage), 'ms', 50)
await stage.stop()
