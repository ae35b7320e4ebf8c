/** Every provider: whether it is configured, and the variable that configures it. */
import { Fragment } from 'react'
import type { SettingsReply } from '../../../api/index.ts'

type Provider = SettingsReply['providers'][number]

const Row = ({ provider }: { provider: Provider }) => (
  <li className="grid grid-cols-[1fr_auto] items-baseline gap-x-3 gap-y-0.5 border-t border-line py-2.5 text-sm first:border-0 sm:grid-cols-[9rem_8rem_1fr_4rem]">
    <span className={`font-medium ${provider.configured ? '' : 'text-soft'}`}>{provider.label}</span>
    <span className={`text-right sm:text-left ${provider.configured ? 'text-good' : 'text-soft'}`}>
      {provider.configured ? '✓ configured' : 'not configured'}
    </span>
    <span className="text-xs text-soft sm:text-right">
      {provider.variables.map((variable, index) => (
        <Fragment key={variable}>
          {index > 0 && ' or '}
          <code className="whitespace-nowrap">{variable}</code>
        </Fragment>
      ))}
    </span>
    {!provider.configured && provider.keyPage && (
      <a
        href={provider.keyPage}
        target="_blank"
        rel="noreferrer"
        className="text-right text-accent underline underline-offset-2"
      >
        {provider.local ? 'install' : 'get a key'}
        <span className="sr-only">
          {provider.local ? '' : ' for'} {provider.label}
        </span>
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
