import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tests that start a browser, a database, a model or processes: all of test/, and *.slow.test.ts elsewhere. */
const slow = ['test/**/*.test.ts', 'src/**/*.slow.test.ts']
const quickOnesInTest = 'test/environment/*.test.ts'
/** Kills, hangs, full disks, databases that go away, large tables, a model that runs here: `npm run test:long`. */
const long = [
  ...[
    'test/crash/crash',
    'test/crash/budget',
    'test/watchdog/watchdog',
    'test/fork-kill',
    'test/websearch/kill',
    'test/disk-full',
  ],
  ...['test/failed-queries', 'test/worker/database-away', 'test/large-table', 'test/terminals'],
  ...['test/web/restart', 'test/accounts/moving-over'],
  ...['src/store/killed.slow', 'src/builtin/provider.house.slow', 'test/web/house'],
].map(name => `${name}.test.ts`)
/** Of these `npm test` has a sample, and `npm run test:long` has everything (test/sampled.ts). */
const samples = [
  ...['test/foreign-text/*', 'test/folder-trust', 'test/web/looks', 'test/web/verdict', 'test/web/keeping'],
  ...['agents', 'citing-person', 'evidence', 'login', 'seat-looks', 'settings', 'team'].map(
    name => `test/web/${name}`,
  ),
  ...['test/accounts/pages', 'test/accounts/passkeys', 'test/accounts/budgets', 'test/worker/engine'],
].map(name => `${name}.test.ts`)

/** These take longest. If one of them started last, a single worker would be busy while the others have nothing to do. */
const firstOnes = [
  ...['test/faces/faces', 'test/web/verdict', 'test/web/keeping', 'test/worker/engine', 'test/web/session'],
  ...['test/folder-trust', 'test/package', 'test/mcp/stdio', 'test/serve', 'agents/faces'],
]

class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      firstOnes.some(name => moduleId.endsWith(`${name}.test.ts`))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter(file => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    testTimeout: 30_000,
    /** Also to close browsers and remove folders, which a busy disk makes slow. */
    hookTimeout: 60_000,
    /** A poll waits for something that must come, not for something quick: one second is too short on a busy machine. */
    expect: { poll: { timeout: 15_000 } },
    /** How long the database is away in the test of that: longer than a heartbeat lapses, and longer still by hand. */
    provide: {
      secondsAway: Number(process.env.SECONDS_AWAY ?? 12),
      /** Odd replies in sessions of all protocols, in `src/run/run.sound-log.test.ts`; 10,000 by hand. */
      hostileReplies: Number(process.env.HOSTILE_REPLIES ?? 700),
    },
    /** Most tests wait for processes, browsers and servers, so there may be more of them than cores. */
    maxWorkers: 4,
    /** Files share a worker's modules: importing them anew for each file takes a fifth of the time. */
    isolate: false,
    sequence: { sequencer: LongOnesFirst },
    execArgv: ['--import', new URL('src/main/quick-imports.ts', import.meta.url).href],
    /** These two keep tests apart from the machine they run on, so that no test can forget it. */
    globalSetup: 'test/environment/before-all.ts',
    setupFiles: 'test/environment/before-each-file.ts',
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', quickOnesInTest],
          exclude: slow.filter(pattern => pattern.startsWith('src/')),
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: slow,
          exclude: [quickOnesInTest, ...long],
          provide: { oneCaseIn: 8 },
          /** A machine that does other work may starve a browser or a process once. What is broken fails twice. */
          retry: process.env.CI ? 1 : 0,
        },
      },
      {
        extends: true,
        test: { name: 'long', include: [...long, ...samples], provide: { oneCaseIn: 1 } },
      },
    ],
  },
})
