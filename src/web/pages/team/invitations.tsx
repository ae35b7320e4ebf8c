/** Invites people by a link that is shown once, and lists the invitations that nobody has used. */
import { type FormEvent, useState } from 'react'
import type { InvitationReply } from '../../../api/index.ts'
import { type Role, roles } from '../../../core/role.ts'
import { dayText } from '../../../core/wording/dates.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { useMutation } from '../../components/mutation.ts'
import { Problem } from '../../components/notice.tsx'
import { invite, revokeInvitation, useReadAgain } from './requests.ts'

const roleOptions = roles.map(value => ({ value, label: value }))

const NewLink = ({ path, name }: { path: string; name: string }) => {
  const link = `${location.origin}${path}`
  return (
    <div role="status" className="rounded-lg bg-wash p-4">
      <p className="text-sm">
        Send this link to {name || 'one person'} alone. It works once, within a week, and is shown only now.
      </p>
      <div className="mt-3 flex flex-wrap items-end gap-2">
        <div className="min-w-0 grow basis-60 [&_input]:h-11">
          <TextField label="Link" value={link} readOnly onFocus={focus => focus.target.select()} />
        </div>
        <CopyButton kind="primary" label="Copy link" className="min-h-11" text={() => link} />
      </div>
    </div>
  )
}

const empty = { name: '', email: '' }

const InviteForm = () => {
  const readAgain = useReadAgain()
  const [form, setForm] = useState(empty)
  const [role, setRole] = useState<Role>('member')
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async () => {
      const [name, email] = [form.name.trim(), form.email.trim()]
      const { path } = await invite({ role, ...(name && { name }), ...(email && { email }) })
      return { path, name }
    },
    onSuccess: () => {
      setForm(empty)
      return readAgain()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isPending) mutate()
  }
  return (
    <form onSubmit={submit} className="space-y-4">
      <div className="grid items-end gap-3 sm:grid-cols-[1fr_1fr_9rem_auto] [&_input]:h-11 [&_select]:h-11">
        <TextField
          label="Name"
          value={form.name}
          maxLength={100}
          onChange={event => setForm({ ...form, name: event.target.value })}
        />
        <TextField
          label="E-mail (optional)"
          type="email"
          value={form.email}
          maxLength={200}
          onChange={event => setForm({ ...form, email: event.target.value })}
        />
        <SelectField
          label="Role"
          value={role}
          options={roleOptions}
          onChange={value => setRole(value as Role)}
        />
        <Button type="submit" kind="primary" className="min-h-11" disabled={isPending}>
          Invite
        </Button>
      </div>
      {error && <Problem error={error} />}
      {data && <NewLink key={data.path} {...data} />}
    </form>
  )
}

const Invitation = ({ invitation }: { invitation: InvitationReply }) => {
  const { id, name, email, role, by, until } = invitation
  const readAgain = useReadAgain()
  const [revoking, setRevoking] = useState(false)
  const whom = name ?? email ?? 'somebody'
  return (
    <li className="flex items-center justify-between gap-3 py-3">
      <div className="min-w-0">
        <p className="wrap-anywhere">
          <span className="font-medium">{whom}</span> as {role}
        </p>
        <p className="text-sm wrap-anywhere text-soft">
          {name && email && `${email} · `}invited by {by} · until {dayText(until)}
        </p>
      </div>
      <Button kind="danger" aria-label={`Revoke the invitation of ${whom}`} onClick={() => setRevoking(true)}>
        Revoke
      </Button>
      {revoking && (
        <ConfirmDialog
          title={`Revoke the invitation of ${whom}?`}
          act="Revoke"
          run={async () => {
            await revokeInvitation(id)
            await readAgain()
          }}
          onClose={() => setRevoking(false)}
        >
          The link no longer works. You can invite them again.
        </ConfirmDialog>
      )}
    </li>
  )
}

export const Invitations = ({ invitations }: { invitations: readonly InvitationReply[] }) => (
  <div className="space-y-4">
    <InviteForm />
    {invitations.length > 0 && (
      <ul aria-label="Open invitations" className="-mb-3 divide-y divide-line border-t border-line">
        {invitations.map(invitation => (
          <Invitation key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    )}
  </div>
)
