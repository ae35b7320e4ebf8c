/** Settings: what is configured, what works, and the limits of the server. The server never sends a key to the page. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SettingsReply } from '../../../api/index.ts'
import { wholeNumber } from '../../../core/wording/numbers.ts'
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

/** The same findings as `roundtable doctor`. */
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
        {isFetching ? 'Checking…' : 'Check the setup'}
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
        None was found when Roundtable started. Start Ollama, LM Studio or llama.cpp on its default port, then
        restart Roundtable.
      </p>
    )
  return (
    <ul className="space-y-2 text-sm">
      {servers.map(({ id, label, models }) => (
        <li key={id}>
          <strong className="font-medium">{label}</strong>:{' '}
          {models.length > 0 ? models.join(', ') : 'no models'}
        </li>
      ))}
    </ul>
  )
}

const limitsOf = ({ limits, usual, guarded, version }: SettingsReply) => [
  { label: 'Seats per table', value: wholeNumber(limits.seats) },
  { label: 'Characters per question', value: wholeNumber(limits.questionCharacters) },
  { label: 'Characters per attachment', value: wholeNumber(limits.attachmentCharacters) },
  { label: 'Changes per minute', value: wholeNumber(limits.writesPerMinute) },
  { label: 'Default protocol', value: usual.protocol },
  { label: 'Seconds per answer', value: wholeNumber(usual.deadline ?? 120) },
  { label: 'Access', value: guarded ? 'anyone with the token' : 'only this machine' },
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
        hint="Set API keys in the environment, or in a .env file in the folder that Roundtable runs in. No page ever shows a key."
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
        <Section title="Built-in model">
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
  if (error) return <Notice title="The server doesn’t answer">{error.message}</Notice>
  return data ? <Settings settings={data} /> : <Waiting />
}
