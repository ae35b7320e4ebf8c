/** A field for a key. What was typed is gone as soon as it is saved. */

import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import type {
  AgentsReply,
  DefaultsBody,
  LineupReply,
  ModelReply,
  ProviderReply,
  SettingsReply,
  TryOutReply,
} from '../../api/table.ts'
import type { SeatInput } from '../../core/ask.ts'
import { counted, wholeNumber } from '../../core/basics.ts'
import {
  agreeToAgents,
  checkSettings,
  fetchLineups,
  fetchModels,
  fetchSettings,
  hasAccounts,
  reloadSettings,
  removeEndpoint,
  removeKey,
  saveDefaults,
  saveEndpoint,
  saveKey,
  tryProvider,
} from '../kit/api.ts'
import { Section, useTitle } from '../kit/controls.tsx'
import { Choice, SelectField, TextField, useSaving } from '../kit/fields.tsx'
import { Button, chooseTheme, Failed, Problem, type Theme, useTheme, Waiting } from '../kit/frame.tsx'
import {
  AgentOffer,
  HouseOffer,
  isOffered,
  moderatorFrom,
  moderatorOptions,
  moderatorValue,
  useHouse,
} from '../kit/offers.tsx'

interface KeyFormProps {
  readonly label: string
  readonly pending: boolean
  onSave(key: string): Promise<boolean>
  onCancel(): void
}

/** Not a password of this site: password managers should leave it alone. */
export const keyInput = { type: 'password', autoComplete: 'off', spellCheck: false } as const

export const KeyForm = ({ label, pending, onSave, onCancel }: KeyFormProps) => {
  const [key, setKey] = useState('')
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (await onSave(key)) setKey('')
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <div className="min-w-0 grow basis-60">
        <TextField
          label={`API key of ${label}`}
          {...keyInput}
          value={key}
          onChange={event => setKey(event.target.value)}
        />
      </div>
      <Button type="submit" kind="primary" disabled={pending || key.trim() === ''}>
        {pending ? 'Saving…' : 'Save and test'}
      </Button>
      <Button onClick={onCancel}>Cancel</Button>
    </form>
  )
}

// addEndpoint: Adds a server of the person's own: a name, an address, and a key if it wants one.

const empty = { id: '', baseURL: '', key: '' }

export const AddEndpoint = () => {
  const [form, setForm] = useState(empty)
  const [result, setResult] = useState<TryOutReply>()
  const { error, pending, run } = useSaving()
  const field = (name: keyof typeof empty) => ({
    value: form[name],
    onChange: (event: { target: { value: string } }) => setForm({ ...form, [name]: event.target.value }),
  })
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const id = form.id.trim()
    await run(async () => {
      await saveEndpoint(id, { baseURL: form.baseURL, ...(form.key.trim() && { key: form.key }) })
      setForm(empty)
      setResult(await tryProvider(id))
    })
  }
  const ready = form.id.trim() !== '' && form.baseURL.trim() !== ''
  return (
    <form onSubmit={submit} aria-label="Add a server of your own" className="space-y-3">
      <div className="grid gap-3 sm:grid-cols-[9rem_1fr_1fr]">
        <TextField label="Name" placeholder="lab" autoComplete="off" {...field('id')} />
        <TextField
          label="Address"
          type="url"
          placeholder="http://127.0.0.1:8787/v1"
          autoComplete="off"
          {...field('baseURL')}
        />
        <TextField label="API key, if it needs one" {...keyInput} {...field('key')} />
      </div>
      <p className="flex flex-wrap items-center gap-3">
        <Button type="submit" disabled={pending || !ready}>
          {pending ? 'Saving…' : 'Add the server'}
        </Button>
        <span className="text-sm text-soft">Its models are then called name/model, such as lab/llama-4.</span>
      </p>
      {error && <Problem error={error} />}
      {result && (
        <p role="status" className={`text-sm ${result.state === 'good' ? 'text-good' : 'text-bad'}`}>
          {result.state === 'good' ? '✓ ' : '✕ '}
          {result.subject}: {result.words}
        </p>
      )}
    </form>
  )
}

// agents: Which command-line agents are installed and logged in, and whether they are the default table.

const None = ({ refusal }: AgentsReply) => (
  <p className="text-soft">
    {refusal === undefined
      ? 'None was found. If you are logged in to Claude Code, Codex, opencode or Qwen Code on this machine, it can take a seat without an API key.'
      : refusal}
  </p>
)

export const Agents = ({ agents, changeable }: { agents: AgentsReply; changeable: boolean }) => {
  const { error, pending, run } = useSaving()
  const { installed, agreed } = agents
  return (
    <div className="space-y-3 text-sm">
      {installed.length === 0 && <None {...agents} />}
      <ul className="space-y-2">
        {installed.map(({ seat, label, ready, logIn, own }) => (
          <li key={seat}>
            <strong className="font-medium">{label}</strong>{' '}
            <code className="text-xs break-all text-soft">{seat}</code>{' '}
            {own ? (
              <span className="text-soft">from the configuration</span>
            ) : ready ? (
              <span className="text-good">✓ logged in</span>
            ) : (
              <span className="text-soft">
                not logged in: run <code>{logIn}</code>
              </span>
            )}
          </li>
        ))}
      </ul>
      {isOffered(agents) && <AgentOffer agents={agents} changeable={changeable} />}
      {agreed === true && installed.length > 0 && (
        <p className="text-soft">Without a key or a server, they are the default table.</p>
      )}
      {agreed === true && changeable && (
        <Button disabled={pending} onClick={() => run(() => agreeToAgents({ agreed: false }))}>
          Don’t ask them by default
        </Button>
      )}
      {error && <Problem error={error} />}
    </div>
  )
}

// checkupWords: What a check of the setup found, in a sentence or two.

export type SetupFinding = NonNullable<SettingsReply['findings']>[number]

const providersWords = (findings: readonly SetupFinding[]): string => {
  const providers = findings.filter(({ key }) => key !== undefined)
  if (providers.length === 0) return 'No provider is set up.'
  const answering = providers.filter(({ state }) => state === 'good').length
  return `${answering} of ${counted(providers.length, 'provider')} ${answering === 1 ? 'answers' : 'answer'}.`
}

/** `seats` are those of the default table. */
export const checkupWords = (findings: readonly SetupFinding[], seats: number | undefined): string => {
  const table = seats === 0 ? 'No default table.' : `The default table has ${counted(seats ?? 0, 'seat')}.`
  return [providersWords(findings), ...(seats === undefined ? [] : [table])].join(' ')
}

// checkup: Checks the setup: what came out in a sentence, what is wrong, and in details all findings of `roundtable doctor`.

const marks = { good: '✓', bad: '✕', note: '·' } as const
const colours = { good: 'text-good', bad: 'text-bad', note: 'text-soft' } as const

const Findings = ({ findings }: { findings: readonly SetupFinding[] }) => (
  <ul className="space-y-2">
    {findings.map(({ subject, state, words, advice, key }) => (
      <li key={subject} className="flex gap-2">
        <span className={`font-semibold ${colours[state]}`}>
          <span aria-hidden="true">{marks[state]}</span>
          <span className="sr-only">{state}: </span>
        </span>
        <span className="min-w-0 wrap-anywhere">
          <strong className="font-medium">{subject}</strong>
          {key && <code className="ml-2 text-xs text-soft">{key}</code>}: {words}
          {advice && <span className="block text-soft">{advice}</span>}
        </span>
      </li>
    ))}
  </ul>
)

const Found = ({ findings }: { findings: readonly SetupFinding[] }) => {
  const { data } = useQuery({ queryKey: ['lineups'], queryFn: fetchLineups })
  const wrong = findings.filter(({ state }) => state === 'bad')
  return (
    <div className="space-y-3 text-sm">
      <p>{checkupWords(findings, data?.usual.seats.length)}</p>
      {wrong.length > 0 && <Findings findings={wrong} />}
      <details>
        <summary className="w-fit font-medium text-soft">Technical details</summary>
        <div className="mt-2">
          <Findings findings={findings} />
        </div>
      </details>
    </div>
  )
}

export const Checkup = () => {
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
      <div aria-live="polite">{data?.findings && <Found findings={data.findings} />}</div>
    </div>
  )
}

// tableWords: What a question gets if no table is saved as the default: how that choice is called, and what it means.

const all = new Intl.ListFormat('en')

interface TableWords {
  readonly label: string
  readonly hint: string
}

const either = 'Roundtable seats models that are ready, or you choose them each time.'

/** `now` is who would sit there, undefined while it loads; `saved` if a table is the default, and hides who would. */
export const tableWords = (
  now: readonly SeatInput[] | undefined,
  saved: boolean,
  models: readonly ModelReply[],
): TableWords => {
  if (saved) return { label: 'No table of your own', hint: either }
  if (!now) return { label: 'Automatic', hint: either }
  if (now.length === 0)
    return {
      label: 'None: choose each time',
      hint: 'No table is chosen yet. Save a table when you ask, and choose it here.',
    }
  const names = now.map(seat => {
    const { model, name } = typeof seat === 'string' ? { model: seat } : seat
    return name ?? models.find(({ id }) => id === model)?.name ?? model
  })
  return { label: 'Automatic', hint: `Automatic means ${all.format(names)} now.` }
}

// defaults: What a question gets if it doesn't say otherwise: table, moderator, time for an answer, budget.

type Usual = SettingsReply['usual']

interface DefaultsForm {
  /** Empty: none of one's own. "now": the seats that are saved. */
  readonly table: string
  readonly moderator: string
  readonly deadline: string
  readonly budget: string
}

const modelsOf = (seats: readonly SeatInput[]): string =>
  JSON.stringify(seats.map(seat => (typeof seat === 'string' ? seat : [seat.model, seat.brief ?? ''])))

const formOf = ({ seats, moderator, deadline, budget }: Usual): DefaultsForm => ({
  table: seats ? 'now' : '',
  moderator: moderatorValue(moderator),
  deadline: deadline === undefined ? '' : String(deadline),
  budget: budget === undefined ? '' : String(budget),
})

const bodyOf = (form: DefaultsForm, usual: Usual, lineups: readonly LineupReply[]): DefaultsBody => {
  const chosen = lineups.find(({ name }) => `lineup ${name}` === form.table)?.seats
  const seats = chosen ?? (form.table === 'now' ? usual.seats : null)
  const free = <Value,>(name: Usual['fixed'][number], value: Value): Value | undefined =>
    usual.fixed.includes(name) ? undefined : value
  const defaults = {
    seats: free('seats', seats ? [...seats] : undefined),
    moderator: free('moderator', moderatorFrom(form.moderator)),
    deadline: free('deadline', form.deadline.trim() ? Number(form.deadline) : undefined),
    budget: free('budget', form.budget.trim() ? Number(form.budget) : undefined),
  }
  return Object.fromEntries(Object.entries(defaults).filter(([, value]) => value !== undefined))
}

const useTables = (usual: Usual) => {
  const { data } = useQuery({ queryKey: ['lineups'], queryFn: fetchLineups })
  const { data: known } = useQuery({ queryKey: ['models'], queryFn: fetchModels, staleTime: 60_000 })
  const models = known?.models ?? []
  const lineups = data?.lineups.filter(({ seats }) => seats.length > 0) ?? []
  const current = lineups.find(({ seats }) => usual.seats && modelsOf(seats) === modelsOf(usual.seats))
  const saved = usual.seats && [
    { value: 'now', label: current ? current.name : `Your table of ${usual.seats.length}` },
  ]
  const none = tableWords(data?.usual.seats, usual.seats !== null, models)
  const options = [
    { value: '', label: none.label },
    ...(saved ?? []),
    ...lineups
      .filter(lineup => lineup !== current)
      .map(({ name, seats }) => ({ value: `lineup ${name}`, label: `${name} (${seats.length})` })),
  ]
  return { lineups, options, models, none }
}

const amounts = [
  {
    name: 'deadline',
    label: 'Seconds for one answer',
    ...{ min: 1, placeholder: '120' },
    hint: 'A seat that takes longer counts as silent.',
  },
  {
    name: 'budget',
    label: 'Budget of a session, in dollars',
    ...{ min: 0.001, placeholder: 'No limit' },
    hint: 'The session stops before it would cost more.',
  },
] as const

const fixedHint = 'Set by the environment or a configuration file.'

export const Defaults = ({ usual, changeable }: { usual: Usual; changeable: boolean }) => {
  const [form, setForm] = useState(() => formOf(usual))
  const [saved, setSaved] = useState(false)
  const { error, pending, run } = useSaving()
  const { lineups, options, models, none } = useTables(usual)
  const change = (part: Partial<DefaultsForm>): void => {
    setForm({ ...form, ...part })
    setSaved(false)
  }
  const common = (name: Usual['fixed'][number], hint: string) => ({
    disabled: !changeable || usual.fixed.includes(name),
    hint: usual.fixed.includes(name) ? fixedHint : hint,
  })
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const done = await run(() => saveDefaults(bodyOf(form, usual, lineups)))
    // The chosen line-up is now the table that is saved.
    if (done && form.table !== '') setForm({ ...form, table: 'now' })
    setSaved(done)
  }
  return (
    <form onSubmit={submit} className="space-y-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Table"
          {...common('seats', form.table === '' ? none.hint : 'Who sits there if you choose nobody.')}
          value={form.table}
          options={options}
          onChange={table => change({ table })}
        />
        <SelectField
          label="Moderator"
          {...common(
            'moderator',
            'Groups the answers and writes the report. Automatic takes a model that isn’t at the table, or else one that is.',
          )}
          value={form.moderator}
          options={moderatorOptions(models)}
          onChange={moderator => change({ moderator })}
        />
        {amounts.map(({ name, hint, ...field }) => (
          <TextField
            key={name}
            type="number"
            step="any"
            {...field}
            {...common(name, hint)}
            value={form[name]}
            onChange={event => change({ [name]: event.target.value })}
          />
        ))}
      </div>
      {error && <Problem error={error} />}
      <p className="flex items-center gap-3">
        <Button type="submit" kind="primary" disabled={pending || !changeable}>
          Save the defaults
        </Button>
        <span role="status" className="text-sm text-good">
          {saved ? '✓ Saved. The next question uses them.' : ''}
        </span>
      </p>
    </form>
  )
}

// providers: Every provider: whether it is configured and by what; a key is entered, tested and removed here.

const fromWords = ({ from, kind, variables, keyEnding, address }: ProviderReply): string => {
  const key = keyEnding === undefined ? '' : `key ${keyEnding}`
  if (from === 'settings') return [address, key || (address && 'no key')].filter(Boolean).join(' · ')
  if (from === 'account') return `${address}, from your account`
  if (from === 'found') return `${address}, found on this machine`
  if (from === 'environment' && kind === 'endpoint')
    return `${address} · ${variables.length > 0 ? `key in ${variables.join(' or ')}` : 'no key'}`
  if (from === 'environment') return variables.length > 0 ? `set by ${variables.join(' or ')}` : ''
  return ''
}

const TryOut = ({ result }: { result: TryOutReply }) => (
  <p role="status" className={`text-sm ${result.state === 'good' ? 'text-good' : 'text-bad'}`}>
    {result.state === 'good' ? '✓ It answers: ' : '✕ '}
    {result.words}
    {result.advice && <span className="block text-soft">{result.advice}</span>}
  </p>
)

/** Tells two buttons of the same name apart for whoever doesn't see the row. */
const Hidden = ({ children }: { children: ReactNode }) => <span className="sr-only">{children}</span>

interface RowProps {
  readonly provider: ProviderReply
  readonly changeable: boolean
}

/** What can be entered for it: a key of a maker, or of an endpoint from this page. */
const takesKey = ({ kind, local, from }: ProviderReply): boolean =>
  kind === 'endpoint' ? from === 'settings' : !local && from !== 'environment'

const Row = ({ provider, changeable }: RowProps) => {
  const { id, label, configured, kind, from, keyEnding, unused, keyPage, address = '' } = provider
  const [entering, setEntering] = useState(false)
  const [result, setResult] = useState<TryOutReply>()
  const { error, pending, run } = useSaving()
  const test = (): Promise<boolean> => run(async () => setResult(await tryProvider(id)))
  const enter = (key: string): Promise<boolean> =>
    run(async () => {
      await (kind === 'maker' ? saveKey(id, { key }) : saveEndpoint(id, { baseURL: address, key }))
      setEntering(false)
      setResult(await tryProvider(id))
    })
  const remove = (): Promise<boolean> =>
    run(async () => {
      setResult(undefined)
      await (kind === 'maker' ? removeKey(id) : removeEndpoint(id))
    })
  const removable = kind === 'maker' ? keyEnding !== undefined : from === 'settings'
  return (
    <li className="space-y-2 border-t border-line py-3 text-sm first:border-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="flex min-w-0 grow basis-24 flex-wrap items-center gap-x-3 gap-y-1">
          <span className={`font-medium ${configured ? '' : 'text-soft'}`}>{label}</span>
          {configured && <span className="text-good">✓ configured</span>}
          {!configured && id === 'openrouter' && <span className="text-soft">one key for every maker</span>}
          <span className="min-w-0 break-all text-soft">{fromWords(provider)}</span>
          {!configured && !changeable && (
            <code className="text-xs text-soft">{provider.variables.join(' or ')}</code>
          )}
        </div>
        <div className="ml-auto flex items-center gap-3">
          {changeable && configured && (
            <Button kind="quiet" disabled={pending} onClick={test}>
              Test<Hidden> {label}</Hidden>
            </Button>
          )}
          {changeable && takesKey(provider) && !entering && (
            <Button onClick={() => setEntering(true)}>
              {keyEnding ? 'Replace key' : 'Add key'}
              <Hidden> of {label}</Hidden>
            </Button>
          )}
          {changeable && removable && (
            <Button kind="danger" disabled={pending} onClick={remove}>
              Remove<Hidden> {kind === 'maker' ? `the key of ${label}` : label}</Hidden>
            </Button>
          )}
          {!configured && keyPage && (
            <a
              href={keyPage}
              target="_blank"
              rel="noreferrer"
              className="text-accent underline underline-offset-2"
            >
              {provider.local ? 'install' : 'get a key'}
              <span className="sr-only">
                {provider.local ? '' : ' for'} {label}
              </span>
            </a>
          )}
        </div>
      </div>
      {unused && (
        <p className="text-soft">
          The key {keyEnding} isn’t used: {unused}.
        </p>
      )}
      {entering && (
        <KeyForm label={label} pending={pending} onSave={enter} onCancel={() => setEntering(false)} />
      )}
      {error && <Problem error={error} />}
      {result && <TryOut result={result} />}
    </li>
  )
}

interface ProvidersProps {
  readonly providers: readonly ProviderReply[]
  readonly changeable: boolean
}

/** What is configured comes first, then the provider whose one key reaches every maker. */
const rank = ({ configured, id }: ProviderReply): number => (configured ? 2 : id === 'openrouter' ? 1 : 0)

export const Providers = ({ providers, changeable }: ProvidersProps) => (
  <ul>
    {providers
      .filter(({ local, configured }) => configured || !local)
      .toSorted((one, other) => rank(other) - rank(one))
      .map(provider => (
        <Row key={`${provider.kind} ${provider.id}`} provider={provider} changeable={changeable} />
      ))}
  </ul>
)

// themeChoice: Light, dark, or the same as the system. The choice is kept in this browser.

const options: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

export const ThemeChoice = () => (
  <div className="w-fit">
    <Choice label="Theme" value={useTheme()} options={options} onChange={chooseTheme} />
  </div>
)

// settings: Settings: keys, endpoints and defaults, what works, and the limits of the server. The server never sends a key here.

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
