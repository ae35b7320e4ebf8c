/** Everybody's API keys, without their secrets. */
import { useState } from 'react'
import type { TeamKeyReply } from '../../../api/index.ts'
import { dayText } from '../../../core/wording/dates.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { revokeKey, useReadAgain } from './requests.ts'

const scopeWords: Readonly<Record<string, string>> = {
  read: 'reads',
  ask: 'reads and asks',
  all: 'everything but accounts',
}

const Key = ({ apiKey }: { apiKey: TeamKeyReply }) => {
  const { id, person, name, label, scope, until, used } = apiKey
  const readAgain = useReadAgain()
  const [revoking, setRevoking] = useState(false)
  return (
    <li className="flex items-center justify-between gap-3 py-3">
      <div className="min-w-0">
        <p className="wrap-anywhere">
          <span className="font-medium">{label}</span> <span className="text-soft">of {name}</span>
        </p>
        <p className="text-sm text-soft">
          {scopeWords[scope] ?? scope} · until {dayText(until)} ·{' '}
          {used === null ? 'never used' : `last used ${dayText(used)}`}
        </p>
      </div>
      <Button
        kind="danger"
        aria-label={`Revoke the key ${label} of ${name}`}
        onClick={() => setRevoking(true)}
      >
        Revoke
      </Button>
      {revoking && (
        <ConfirmDialog
          title={`Revoke the key “${label}” of ${name}?`}
          act="Revoke"
          run={async () => {
            await revokeKey(person, id)
            await readAgain()
          }}
          onClose={() => setRevoking(false)}
        >
          Programs that use it are refused from now on. This can’t be undone.
        </ConfirmDialog>
      )}
    </li>
  )
}

export const Keys = ({ keys }: { keys: readonly TeamKeyReply[] }) =>
  keys.length === 0 ? (
    <p className="text-sm text-soft">Nobody has an API key. People make their own on their account page.</p>
  ) : (
    <ul className="-my-3 divide-y divide-line">
      {keys.map(key => (
        <Key key={key.id} apiKey={key} />
      ))}
    </ul>
  )
