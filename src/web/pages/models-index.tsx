/** Models: what came of their answers, how they behave at a table, and all that are known. */

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { StatsReply } from '../../api/table.ts'
import { counted, wholeNumber } from '../../core/basics.ts'
import { fetchModels, fetchStats } from '../kit/api.ts'
import { useTitle } from '../kit/controls.tsx'
import { useKeyNames } from '../kit/fields.tsx'
import { Failed, NoticeLink, Waiting } from '../kit/frame.tsx'
import {
  Calibration,
  Catalogue,
  calibrationHint,
  HeatMap,
  type ModelStats,
  RetiringModels,
  Scatter,
  TrackTable,
} from './models.tsx'

export const Section = ({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) => (
  <section aria-label={title} className="card min-w-0 p-4 sm:p-6">
    <h2 className="said text-xl font-semibold">{title}</h2>
    {hint && <p className="mt-1 text-sm text-soft">{hint}</p>}
    <div className="mt-4">{children}</div>
  </section>
)

const Empty = () => (
  <Section title="No model has a record yet">
    <p className="max-w-prose">
      Every session that ends adds to it: who agreed with whom, who persuaded whom, what it cost. The tour
      doesn’t count.
    </p>
    <NoticeLink to="/" kind="primary">
      Ask the table
    </NoticeLink>
  </Section>
)

/** Right and wrong are known only if a person has said what the right answer was. */
const HowToResolve = ({ stats }: { stats: StatsReply }) =>
  stats.resolved === 0 && (
    <p className="rounded-lg border border-line bg-wash px-4 py-3 text-sm">
      No session is resolved yet. Open a session whose right answer is known, and choose{' '}
      <strong>More → Resolve: record the right answer</strong>. Accuracy and calibration are counted from then
      on.
    </p>
  )

/** A curve from few answers says little. */
const countedIn = ({ calibration }: ModelStats): number =>
  calibration.reduce((sum, { count }) => sum + count, 0)

/** The others are on their models' own pages. */
const mostCurves = 4

const Calibrations = ({ stats }: { stats: StatsReply }) => {
  const known = stats.models
    .filter(({ calibration }) => calibration.length > 0)
    .toSorted((one, other) => countedIn(other) - countedIn(one))
  if (known.length === 0)
    return (
      <p className="text-soft">
        The curves appear when sessions are resolved whose seats gave their confidence.
      </p>
    )
  return (
    <ul className="grid gap-6 sm:grid-cols-2 lg:grid-cols-4">
      {known.slice(0, mostCurves).map(record => (
        <li key={record.model}>
          <h3 className="label mb-2 truncate">{record.name}</h3>
          <Calibration record={record} />
        </li>
      ))}
    </ul>
  )
}

const Record = ({ stats }: { stats: StatsReply }) => (
  <>
    <HowToResolve stats={stats} />
    <Section title="Track record" hint="Models used most come first.">
      <TrackTable models={stats.models.toSorted((one, other) => other.sessions - one.sessions)} />
    </Section>
    <div className="grid gap-5 lg:grid-cols-2">
      <Section title="Agreement" hint="How often two models gave the same sealed answer, in percent.">
        <HeatMap stats={stats} />
      </Section>
      <Section title="Persuasion and accuracy" hint="Who wins others over, and how often it is right.">
        <Scatter models={stats.models} />
      </Section>
    </div>
    <Section
      title="Calibration"
      hint={`${calibrationHint} The models with most resolved answers are shown; the others have it on their own pages.`}
    >
      <Calibrations stats={stats} />
    </Section>
  </>
)

/** The catalogue takes longer to load than the record, and the record doesn't wait for it. */
const Known = ({ stats }: { stats: StatsReply }) => {
  const { data, error } = useQuery({ queryKey: ['models'], queryFn: fetchModels })
  const keyNames = useKeyNames()
  const uses = new Map(stats.models.map(({ model, sessions }) => [model, sessions]))
  return (
    <Section
      title="Catalogue"
      hint="Every known model, with its price for a million tokens and how many tokens it can read at once."
    >
      {error && <p className="text-bad">{error.message}</p>}
      {!data && !error && <p className="min-h-[40rem] text-soft">Loading the models…</p>}
      {data && <Catalogue models={data.models} uses={uses} keyNames={keyNames} />}
    </Section>
  )
}

export const Page = () => {
  useTitle('Models')
  const { data, error } = useQuery({ queryKey: ['stats'], queryFn: fetchStats })
  if (error && !data) return <Failed title="The track record can’t be read" error={error} />
  if (!data) return <Waiting what="Reading the sessions" />
  return (
    <div className="mx-auto max-w-[100rem] space-y-5 px-4 pt-6 pb-16 sm:px-6 sm:pt-10">
      <header>
        <h1 className="said text-3xl font-semibold tracking-tight">Models</h1>
        {data.models.length > 0 && (
          <p className="mt-1 text-soft">
            From {counted(data.sessions, 'session')}, {wholeNumber(data.resolved)} resolved.
          </p>
        )}
      </header>
      {data.models.length === 0 ? <Empty /> : <Record stats={data} />}
      <RetiringModels />
      <Known stats={data} />
    </div>
  )
}
