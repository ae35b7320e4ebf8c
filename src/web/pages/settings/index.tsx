/** Settings: what is configured, what answers, and what the server allows. A key is never shown: it is never sent. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SettingsReply } from '../../../api/index.ts'
import { checkSettings, fetchSettings } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { HouseOffer, useHouse } from '../../components/house-offer.tsx'
import { Notice, Problem, Waiting } from '../../components/notice.tsx'
import { useTitle } from '../../components/title.ts'
import { Providers } from './providers.tsx'
import { ThemeChoice } from './theme-choice.tsx'

const Section = ({ title, hint, children }: { title: string; hint?: ReactNode; children: ReactNode }) => (
  <section aria-label={title} className="card min-w-0 p-4 sm:p-6">
    <h2 className="said text-xl font-semibold">{title}</h2>
    {hint && <p className="mt-1 text-sm text-soft">{hint}</p>}
    <div className="mt-4">{children}</div>
  </section>
)

const marks = { good: '✓', bad: '✕', note: '·' } as const
const colours = { good: 'text-good', bad: 'text-bad', note: 'text-soft' } as const

/** What `doctor` says. */
const Checkup = () => {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['settings', 'check'],
    queryFn: checkSettings,
    enabled: false,
    retry: false,
  })
  return (
    <div className="space-y-3">
      <Button disabled={isFetching} onClick={() => refetch()}>
        {isFetching ? 'Asking everybody…' : 'Check what answers'}
      </Button>
      {error && <Problem error={error} />}
      <ul className="space-y-2 text-sm" aria-live="polite">
        {data?.findings?.map(({ subject, state, words, advice, key }) => (
          <li key={subject} className="flex gap-2">
            <span className={`font-semibold ${colours[state]}`}>
              <span aria-hidden="true">{marks[state]}</span>
              <span className="sr-only">{state}: </span>
            </span>
            <span className="min-w-0 break-words">
              <strong className="font-medium">{subject}</strong>
              {key && <code className="ml-2 text-xs text-soft">{key}</code>}: {words}
              {advice && <span className="block text-soft">{advice}</span>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const LocalServers = ({ servers }: { servers: SettingsReply['localServers'] }) => {
  if (servers.length === 0)
    return (
      <p className="text-sm text-soft">
        None was found when the server started. Start Ollama, LM Studio or llama.cpp on its usual port, then
        start Roundtable again.
      </p>
    )
  return (
    <ul className="space-y-2 text-sm">
      {servers.map(({ id, label, models }) => (
        <li key={id}>
          <strong className="font-medium">{label}</strong>:{' '}
          {models.length > 0 ? models.join(', ') : 'no model'}
        </li>
      ))}
    </ul>
  )
}

const count = (value: number): string => value.toLocaleString('en-US')

const limitsOf = ({ limits, usual, guarded, version }: SettingsReply) => [
  { label: 'Seats at a table', value: count(limits.seats) },
  { label: 'Characters of a question', value: count(limits.questionCharacters) },
  { label: 'Characters of an attachment', value: count(limits.attachmentCharacters) },
  { label: 'Changes a minute', value: count(limits.writesPerMinute) },
  { label: 'Usual protocol', value: usual.protocol },
  { label: 'Seconds for one answer', value: count(usual.deadline ?? 120) },
  { label: 'Let in', value: guarded ? 'whoever has the token' : 'this machine alone' },
  { label: 'Version', value: version },
]

const Limits = ({ settings }: { settings: SettingsReply }) => (
  <dl className="space-y-2 text-sm">
    {limitsOf(settings).map(({ label, value }) => (
      <div key={label} className="flex justify-between gap-4">
        <dt className="text-soft">{label}</dt>
        <dd className="text-right tabular-nums">{value}</dd>
      </div>
    ))}
  </dl>
)

const Settings = ({ settings }: { settings: SettingsReply }) => {
  const house = useHouse() ?? settings.house
  return (
    <div className="mx-auto max-w-5xl space-y-5 px-4 pt-6 pb-16 sm:px-6 sm:pt-10">
      <h1 className="said text-3xl font-semibold tracking-tight">Settings</h1>
      <Section
        title="Providers"
        hint="Keys are set in the environment or in .env of the folder that Roundtable runs in. They stay there: no page ever shows one."
      >
        <Providers providers={settings.providers} />
        <div className="mt-6">
          <Checkup />
        </div>
      </Section>
      <div className="grid gap-5 md:grid-cols-2">
        <Section title="Servers on this machine">
          <LocalServers servers={settings.localServers} />
        </Section>
        <Section title="Theme">
          <ThemeChoice />
        </Section>
        <Section title="The model of the house">
          <HouseOffer house={house} />
        </Section>
        <Section title="Limits">
          <Limits settings={settings} />
        </Section>
      </div>
    </div>
  )
}

export const Page = () => {
  useTitle('Settings')
  const { data, error } = useQuery({ queryKey: ['settings'], queryFn: fetchSettings })
  if (error) return <Notice title="The server does not answer">{error.message}</Notice>
  return data ? <Settings settings={data} /> : <Waiting />
}
