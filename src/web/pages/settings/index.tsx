/** Settings: keys, endpoints and defaults, what works, and the limits of the server. The server never sends a key here. */
import { useQuery } from '@tanstack/react-query'
import type { SettingsReply } from '../../../api/index.ts'
import { wholeNumber } from '../../../core/wording/numbers.ts'
import { hasAccounts } from '../../account.ts'
import { fetchSettings, reloadSettings } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { HouseOffer, useHouse } from '../../components/house-offer.tsx'
import { Failed, Problem, Waiting } from '../../components/notice.tsx'
import { Section } from '../../components/section.tsx'
import { useTitle } from '../../components/title.ts'
import { AddEndpoint } from './add-endpoint.tsx'
import { Agents } from './agents.tsx'
import { Checkup } from './checkup.tsx'
import { Defaults } from './defaults.tsx'
import { Providers } from './providers.tsx'
import { useSaving } from './saving.ts'
import { ThemeChoice } from './theme-choice.tsx'

const LocalServers = ({ settings }: { settings: SettingsReply }) => {
  const { error, pending, run } = useSaving()
  const { localServers, changes } = settings
  return (
    <div className="space-y-3 text-sm">
      {localServers.length === 0 && (
        <p className="text-soft">None was found. Start Ollama, LM Studio or llama.cpp on its default port.</p>
      )}
      <ul className="space-y-2">
        {localServers.map(({ id, label, models }) => (
          <li key={id}>
            <strong className="font-medium">{label}</strong>:{' '}
            {models.length > 0 ? models.join(', ') : 'no models'}
          </li>
        ))}
      </ul>
      {changes.allowed && (
        <Button disabled={pending} onClick={() => run(reloadSettings)}>
          {pending ? 'Looking…' : 'Look again'}
        </Button>
      )}
      {error && <Problem error={error} />}
    </div>
  )
}

const accessWords = (guarded: boolean): string => {
  if (hasAccounts()) return 'people with an account'
  return guarded ? 'anyone with the token' : 'only this machine'
}

const factsOf = ({ limits, usual, guarded, version }: SettingsReply) => [
  { label: 'Seats per table', value: wholeNumber(limits.seats) },
  { label: 'Characters per question', value: wholeNumber(limits.questionCharacters) },
  { label: 'Characters per attachment', value: wholeNumber(limits.attachmentCharacters) },
  { label: 'Requests that change something, per minute', value: wholeNumber(limits.writesPerMinute) },
  { label: 'Default protocol', value: usual.protocol },
  { label: 'Access', value: accessWords(guarded) },
  { label: 'Version', value: version },
]

const ThisServer = ({ settings }: { settings: SettingsReply }) => (
  <dl className="space-y-2 text-sm">
    {factsOf(settings).map(({ label, value }) => (
      <div key={label} className="flex justify-between gap-4">
        <dt className="text-soft">{label}</dt>
        <dd className="text-right tabular-nums">{value}</dd>
      </div>
    ))}
  </dl>
)

const Settings = ({ settings }: { settings: SettingsReply }) => {
  const house = useHouse() ?? settings.house
  const changeable = settings.changes.allowed
  return (
    <div className="mx-auto max-w-5xl space-y-5 px-4 pt-6 pb-16 sm:px-6 sm:pt-10">
      <h1 className="said text-3xl font-semibold tracking-tight">Settings</h1>
      {!changeable && settings.changes.reason && (
        <p role="note" className="card px-4 py-3 text-sm text-soft">
          {settings.changes.reason}
        </p>
      )}
      <Section
        title="Keys and providers"
        hint="A key stays on the machine that runs Roundtable, in a file that only its owner can read. It is sent to its provider and to nobody else, and no page shows more than its last four characters."
      >
        <Providers providers={settings.providers} changeable={changeable} />
        {changeable && (
          <div className="mt-6 border-t border-line pt-5">
            <h3 className="font-semibold">Add a server of your own</h3>
            <p className="mb-3 text-sm text-soft">
              Any server that speaks the OpenAI chat format, such as vLLM, LM Studio or a gateway.
            </p>
            <AddEndpoint />
          </div>
        )}
        <div className="mt-6 border-t border-line pt-5">
          <Checkup />
        </div>
      </Section>
      <Section title="Defaults" hint="For questions that don’t say otherwise.">
        <Defaults usual={settings.usual} changeable={changeable} />
      </Section>
      <div className="grid gap-5 md:grid-cols-2">
        <Section title="Servers on this machine">
          <LocalServers settings={settings} />
        </Section>
        <Section title="Agents on this machine">
          <Agents agents={settings.agents} changeable={changeable} />
        </Section>
        <Section title="Appearance">
          <ThemeChoice />
        </Section>
        <Section title="Built-in model">
          <HouseOffer house={house} />
        </Section>
        <Section title="This server">
          <ThisServer settings={settings} />
        </Section>
      </div>
    </div>
  )
}

export const Page = () => {
  useTitle('Settings')
  const { data, error } = useQuery({ queryKey: ['settings'], queryFn: fetchSettings })
  if (error && !data) return <Failed title="The settings can’t be loaded" error={error} />
  return data ? <Settings settings={data} /> : <Waiting />
}
