/** One model: its record, whom it agrees with, and its sessions. */

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { StatsReply } from '../../api/table.ts'
import { counted } from '../../core/basics.ts'
import { fetchStats } from '../kit/api.ts'
import { AppLink, Bar, useSearchParams, useTitle } from '../kit/controls.tsx'
import { Button, buttonClass, Failed, Notice, NoticeLink, Waiting } from '../kit/frame.tsx'
import { agreementIn, Calibration, calibrationHint, Figures, type ModelStats } from './models.tsx'
import { Section } from './models-index.tsx'

/** The others are one click away. */
const first = 10

const Peers = ({ stats, record }: { stats: StatsReply; record: ModelStats }) => {
  const [whole, setWhole] = useState(false)
  const peers = stats.models.flatMap(other => {
    const pair = agreementIn(stats, record.model, other.model)
    return pair ? [{ name: other.name, model: other.model, ...pair }] : []
  })
  if (peers.length === 0)
    return <p className="text-soft">It has not sat with another model whose answer was grouped.</p>
  return (
    <>
      <ul className="space-y-2">
        {peers
          .toSorted((one, other) => other.same / other.of - one.same / one.of)
          .slice(0, whole ? undefined : first)
          .map(({ name, model, same, of }) => (
            <li key={model} className="flex items-center gap-3 text-sm">
              <span className="w-32 shrink-0 truncate sm:w-40">{name}</span>
              <Bar share={same / of} className="min-w-0 grow" />
              <span className="min-w-14 text-right whitespace-nowrap text-soft tabular-nums">
                {same} of {of}
              </span>
            </li>
          ))}
      </ul>
      {!whole && peers.length > first && (
        <p className="mt-3 text-center">
          <Button kind="quiet" onClick={() => setWhole(true)}>
            Show all {peers.length}
          </Button>
        </p>
      )}
    </>
  )
}

const OneModel = ({ stats, record }: { stats: StatsReply; record: ModelStats }) => (
  <div className="mx-auto max-w-5xl space-y-5 px-4 pt-6 pb-16 sm:px-6 sm:pt-10">
    <header className="flex flex-wrap items-end gap-3">
      <div className="min-w-0 grow">
        <Link to="/models" className="text-sm text-soft hover:text-ink">
          ← Models
        </Link>
        <h1 className="said text-3xl font-semibold tracking-tight break-words">{record.name}</h1>
        <p className="font-mono text-sm break-all text-soft">{record.model}</p>
      </div>
      <AppLink href={`/sessions?model=${encodeURIComponent(record.model)}`} className={buttonClass()}>
        Its sessions
      </AppLink>
    </header>
    <Figures record={record} />
    <div className="grid gap-5 md:grid-cols-2">
      <Section title="Calibration" hint={calibrationHint}>
        {record.calibration.length > 0 ? (
          <Calibration record={record} />
        ) : (
          <p className="text-soft">None of its sessions is resolved yet.</p>
        )}
      </Section>
      <Section title="Agrees with" hint="How often it gave the same sealed answer.">
        <Peers stats={stats} record={record} />
      </Section>
    </div>
    <p className="text-sm text-soft">
      {counted(record.answers, 'answer')}, {counted(record.silent, 'call')} without an answer.{' '}
      {record.stubbornness.opposed > 0 &&
        `While another camp led, it stayed where it was ${record.stubbornness.stayed} of ${record.stubbornness.opposed} times.`}
    </p>
  </div>
)

export const Page = () => {
  const [params] = useSearchParams()
  const model = params.get('id') ?? ''
  const { data, error } = useQuery({ queryKey: ['stats'], queryFn: fetchStats })
  const record = data?.models.find(one => one.model === model)
  useTitle(record?.name ?? model)
  if (error && !data) return <Failed title="The track record can’t be read" error={error} />
  if (!data) return <Waiting what="Reading the sessions" />
  if (!record)
    return (
      <Notice title="This model has no record">
        <p>No finished session had this model at the table.</p>
        <NoticeLink to="/models">Show all models</NoticeLink>
      </Notice>
    )
  return <OneModel stats={data} record={record} />
}
