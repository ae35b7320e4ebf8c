/** Every provider: whether it can be used, and by which variable. */
import type { SettingsReply } from '../../../server/api.ts'

type Provider = SettingsReply['providers'][number]

const Row = ({ provider }: { provider: Provider }) => (
  <li className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-t border-line py-2.5 text-sm first:border-0">
    <span className={`w-36 font-medium ${provider.configured ? '' : 'text-soft'}`}>{provider.label}</span>
    <span className={provider.configured ? 'text-good' : 'text-soft'}>
      {provider.configured ? '✓ configured' : 'not configured'}
    </span>
    <code className="ml-auto text-xs break-all text-soft">{provider.variables.join(' or ')}</code>
    {!provider.configured && provider.keyPage && (
      <a
        href={provider.keyPage}
        target="_blank"
        rel="noreferrer"
        className="text-accent underline underline-offset-2"
      >
        {provider.local ? 'get it' : 'get a key'}
        <span className="sr-only"> of {provider.label}</span>
      </a>
    )}
  </li>
)

export const Providers = ({ providers }: { providers: readonly Provider[] }) => (
  <ul>
    {providers
      .toSorted((one, other) => Number(other.configured) - Number(one.configured))
      .map(provider => (
        <Row key={provider.id} provider={provider} />
      ))}
  </ul>
)
