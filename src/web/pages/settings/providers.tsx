/** Every provider: whether it is configured and by what; a key is entered, tested and removed here. */
import { type ReactNode, useState } from 'react'
import type { ProviderReply, TryOutReply } from '../../../api/index.ts'
import { removeEndpoint, removeKey, saveEndpoint, saveKey, tryProvider } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Problem } from '../../components/notice.tsx'
import { KeyForm } from './key-form.tsx'
import { useSaving } from './saving.ts'

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
