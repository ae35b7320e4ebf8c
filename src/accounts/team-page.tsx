/** What the page of the admins asks of the server. */

import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type {
  AuditLineReply,
  AuditReply,
  BudgetBody,
  InvitationBody,
  InvitationReply,
  InvitationsReply,
  InvitedReply,
  MemberReply,
  MembersReply,
  RetentionReply,
  RoleBody,
  TeamKeyReply,
  TeamKeysReply,
  TeamPayerReply,
  TeamSpendingReply,
  UsedReply,
} from '../api/table.ts'
import {
  counted,
  dayText,
  dollars,
  listed,
  type Role,
  roles,
  timeText,
  utcDayText,
  wholeNumber,
} from '../core/basics.ts'
import { hasAccounts, request, useMay, useMe } from '../web/kit/api.ts'
import { Bar, CopyButton, ScrollRegion, Section, useTitle } from '../web/kit/controls.tsx'
import { ConfirmDialog } from '../web/kit/dialogs.tsx'
import { SelectField, TextField } from '../web/kit/fields.tsx'
import { Button, Dialog, Failed, Notice, NoticeLink, Problem, Waiting } from '../web/kit/frame.tsx'
import { Menu, MenuItem } from '../web/kit/menu.tsx'
import { useMutation } from '../web/kit/mutation.ts'

const at = (...parts: readonly string[]): string => `/api/team/${parts.map(encodeURIComponent).join('/')}`

export const fetchMembers = () => request<MembersReply>('GET', at('people'))
export const changeRole = (id: string, body: RoleBody) => request<void>('PUT', at('people', id, 'role'), body)
export const setDisabled = (id: string, disabled: boolean) =>
  request<void>('PUT', at('people', id, 'disabled'), { disabled })
export const signOutEverywhere = (id: string) => request<void>('DELETE', at('people', id, 'sign-ins'))

export const fetchInvitations = () => request<InvitationsReply>('GET', at('invitations'))
export const invite = (body: InvitationBody) => request<InvitedReply>('POST', at('invitations'), body)
export const revokeInvitation = (id: string) => request<void>('DELETE', at('invitations', id))

export const fetchKeys = () => request<TeamKeysReply>('GET', at('keys'))
export const revokeKey = (person: string, key: string) =>
  request<void>('DELETE', at('people', person, 'keys', key))

export const fetchSpending = () => request<TeamSpendingReply>('GET', at('spending'))
export const setBudget = (payer: string, body: BudgetBody) => request<void>('PUT', at('budgets', payer), body)

export const fetchAudit = (before: string) =>
  request<AuditReply>('GET', `${at('audit')}?limit=30${before && `&before=${encodeURIComponent(before)}`}`)
export const fetchRetention = () => request<RetentionReply>('GET', at('retention'))

/** Whatever was changed is also in the audit log, so all of the page is read again. */
export const useReadAgain = (): (() => Promise<void>) => {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: ['team'] })
}

// words: Lines of the audit log, as people read them.

/** `~` stands for the person or session that it was done to. */
const sentences: Readonly<Record<string, string>> = {
  'signed-in': 'logged in',
  'sign-in-failed': 'tried a wrong password for ~',
  'sign-in-ended': 'ended a login of ~',
  'signed-out-everywhere': 'logged ~ out everywhere',
  'password-changed': 'changed the password of ~',
  'passkey-added': 'added a passkey of ~',
  'passkey-removed': 'removed a passkey of ~',
  'role-admin': 'made ~ an admin',
  'role-member': 'made ~ a member',
  'role-viewer': 'made ~ a viewer',
  disabled: 'disabled ~',
  enabled: 'enabled ~',
  'invited-admin': 'invited an admin',
  'invited-member': 'invited a member',
  'invited-viewer': 'invited a viewer',
  'invitation-accepted': 'accepted an invitation',
  'invitation-revoked': 'revoked an invitation',
  'joined-by-domain': 'joined with an address of the team',
  'key-made-read': 'made an API key that reads',
  'key-made-ask': 'made an API key that asks',
  'key-made-all': 'made an API key with all rights',
  'key-revoked': 'revoked an API key of ~',
  'maker-key-saved': 'saved a provider’s key of ~',
  'maker-key-removed': 'removed a provider’s key of ~',
  'endpoint-saved': 'saved an endpoint of ~',
  'endpoint-removed': 'removed an endpoint of ~',
  'budget-changed': 'changed the budget of ~',
  'share-session': 'changed who sees the session ~',
  'shared-with-team': 'shared the session ~ with the team',
  'made-private': 'made the session ~ private',
  'link-made': 'made a link to the session ~',
  'link-revoked': 'revoked the link to the session ~',
  'delete-session': 'deleted the session ~',
  'change-template': 'changed a template',
  'change-settings': 'changed the settings',
}

const withoutDetail = ({ who, what, whose }: AuditLineReply): string => {
  const sentence = sentences[what]
  if (sentence === undefined) return [what.replaceAll('-', ' '), whose].filter(Boolean).join(': ')
  if (whose !== null && whose === who)
    return sentence.replace('~', 'themselves').replace(/ of themselves$/, '')
  return sentence.replace('~', () => (whose === 'team' ? 'the team' : (whose ?? 'somebody')))
}

/** What isn't known here is shown as it is in the log. */
export const auditWords = (entry: AuditLineReply): string =>
  entry.detail ? `${withoutDetail(entry)}: ${entry.detail}` : withoutDetail(entry)

/** Who did something if no person did. */
const others: Readonly<Record<string, string>> = {
  nobody: 'Somebody',
  terminal: 'The terminal',
  machine: 'The terminal',
}
export const actorName = (who: string): string => others[who] ?? who

// audit: The audit log: who did what, when and from where, the newest first.

export const useAudit = () =>
  useInfiniteQuery({
    queryKey: ['team', 'audit'],
    queryFn: ({ pageParam }) => fetchAudit(pageParam),
    initialPageParam: '',
    getNextPageParam: page => page.next ?? undefined,
  })

export const AuditLog = () => {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useAudit()
  const entries = data?.pages.flatMap(page => page.entries) ?? []
  return (
    <>
      <ol className="-my-2 divide-y divide-line text-sm">
        {entries.map((entry, index) => (
          <li key={index} className="grid gap-x-4 py-2 sm:grid-cols-[10rem_1fr_auto]">
            <time dateTime={entry.at} className="text-soft tabular-nums">
              {timeText(entry.at)}
            </time>
            <span className="min-w-0 wrap-anywhere">
              <span className="font-medium">{actorName(entry.who)}</span> {auditWords(entry)}
            </span>
            <span className="wrap-anywhere text-soft">from {entry.from}</span>
          </li>
        ))}
      </ol>
      {error && <Problem error={error} />}
      {hasNextPage && (
        <p className="mt-4 text-center">
          <Button disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
            Show older
          </Button>
        </p>
      )}
    </>
  )
}

// budgetDialog: Sets what a person or the team may use by day and month. An empty field is no limit.

const fields = [
  { period: 'day', unit: 'usd', label: 'Dollars a day' },
  { period: 'month', unit: 'usd', label: 'Dollars a month' },
  { period: 'day', unit: 'tokens', label: 'Tokens a day' },
  { period: 'month', unit: 'tokens', label: 'Tokens a month' },
] as const

const amountIn = (text: string): number | null => (text.trim() === '' ? null : Number(text))

interface BudgetDialogProps {
  readonly payer: TeamPayerReply
  onClose(): void
}

export const BudgetDialog = ({ payer, onClose }: BudgetDialogProps) => {
  const readAgain = useReadAgain()
  const [texts, setTexts] = useState(() =>
    fields.map(({ period, unit }) => String(payer.budget[period][unit] ?? '')),
  )
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      const [dayUsd = null, monthUsd = null, dayTokens = null, monthTokens = null] = texts.map(amountIn)
      const [day, month] = [
        { usd: dayUsd, tokens: dayTokens },
        { usd: monthUsd, tokens: monthTokens },
      ]
      await setBudget(payer.id, { day, month })
      await readAgain()
    },
    onSuccess: onClose,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    mutate()
  }
  return (
    <Dialog title={`Budget of ${payer.id === 'team' ? 'the team' : payer.name}`} onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        <p className="text-sm text-soft">
          Checked before each call. Leave a field empty for no limit. Days and months are in UTC.
        </p>
        <div className="grid gap-3 min-[400px]:grid-cols-2">
          {fields.map(({ label, unit }, index) => (
            <TextField
              key={label}
              label={label}
              type="number"
              min={0}
              max={1e12}
              step={unit === 'usd' ? 'any' : 1}
              inputMode={unit === 'usd' ? 'decimal' : 'numeric'}
              value={texts[index]}
              onChange={event => setTexts(texts.with(index, event.target.value))}
            />
          ))}
        </div>
        {error && <Problem error={error} />}
        <p className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" disabled={isPending}>
            Save
          </Button>
        </p>
      </form>
    </Dialog>
  )
}

// invitations: Invites people by a link that is shown once, and lists the invitations that nobody has used.

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

// keys: Everybody's API keys, without their secrets.

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

// people: Everybody with an account: their role, how they log in, and what an admin can do about it.

const wayNames: Record<MemberReply['ways'][number], string> = {
  password: 'password',
  passkey: 'passkey',
  provider: 'the provider',
}

const factsOf = ({ email, ways, lastSignIn, signedIn }: MemberReply): string =>
  [
    email,
    ways.length > 0 ? `logs in with ${listed(ways.map(way => wayNames[way]))}` : 'has no way to log in',
    lastSignIn === null ? 'never logged in' : `last logged in ${dayText(lastSignIn)}`,
    signedIn > 0 && `logged in on ${counted(signedIn, 'browser')}`,
  ]
    .filter(Boolean)
    .join(' · ')

/** Something to do to a person, and what it means. */
interface Act {
  readonly title: string
  readonly words: string
  readonly label: string
  run(id: string): Promise<unknown>
}

const article = (role: Role): string => (role === 'admin' ? 'an admin' : `a ${role}`)

const powers: Record<Role, string> = {
  admin: 'Admins manage people and settings.',
  member: 'Members ask questions, and share their sessions.',
  viewer: 'Viewers read what is shared with the team, and ask nothing.',
}

const toRole = (name: string, role: Role): Act => ({
  title: `Make ${name} ${article(role)}?`,
  words: `${powers[role]} ${name} has to log in again.`,
  label: `Make ${article(role)}`,
  run: id => changeRole(id, { role }),
})

const signOut = (name: string): Act => ({
  title: `Sign ${name} out everywhere?`,
  words: 'Every browser has to log in again. API keys stay.',
  label: 'Log out everywhere',
  run: signOutEverywhere,
})

const disable = (name: string): Act => ({
  title: `Disable ${name}?`,
  words:
    'They are logged out, and neither a login nor an API key works. Their sessions stay. You can enable them again.',
  label: 'Disable',
  run: id => setDisabled(id, true),
})

const enable = (name: string): Act => ({
  title: `Enable ${name}?`,
  words: 'They can log in again, and their API keys work again.',
  label: 'Enable',
  run: id => setDisabled(id, false),
})

const Person = ({ person, isMe }: { person: MemberReply; isMe: boolean }) => {
  const [act, setAct] = useState<Act>()
  const readAgain = useReadAgain()
  const { id, name, role, disabled } = person
  const acts = disabled
    ? [enable(name)]
    : [...roles.filter(one => one !== role).map(one => toRole(name, one)), signOut(name), disable(name)]
  return (
    <li className="flex items-start justify-between gap-3 py-3">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span dir="auto" className="font-medium wrap-anywhere">
            {name}
          </span>
          <span className="rounded bg-shade px-2 py-0.5 text-sm">{role}</span>
          {isMe && <span className="text-sm text-soft">you</span>}
          {disabled && <span className="text-sm font-medium text-bad">disabled</span>}
        </p>
        <p className="mt-0.5 text-sm wrap-anywhere text-soft">{factsOf(person)}</p>
      </div>
      <Menu label="Manage" described={`Manage ${name}`}>
        {acts.map(one => (
          <MenuItem key={one.label} danger={one.label === 'Disable'} onSelect={() => setAct(one)}>
            {one.label}
          </MenuItem>
        ))}
      </Menu>
      {act && (
        <ConfirmDialog
          title={act.title}
          act={act.label}
          run={async () => {
            await act.run(id)
            // After this, an admin who did it to themselves is asked to log in.
            await readAgain()
          }}
          onClose={() => setAct(undefined)}
        >
          {act.words}
        </ConfirmDialog>
      )}
    </li>
  )
}

export const People = ({ people }: { people: readonly MemberReply[] }) => {
  const me = useMe()?.person?.id
  return (
    <ul className="-my-3 divide-y divide-line">
      {people.map(person => (
        <Person key={person.id} person={person} isMe={person.id === me} />
      ))}
    </ul>
  )
}

// spending: What everybody asked and spent, against their budgets: counts and sums, never what was asked.

type Limit = BudgetBody['day']

/** What is used of a limit, below the words for it. Zero of zero is all of it. */
const Used = ({ some, most }: { some: number; most: number | null }) =>
  most !== null && (
    <dd>
      <Bar share={most === 0 ? 1 : some / most} className="my-1 w-full" />
    </dd>
  )

const ofLimit = (words: string, limit: string | undefined): string =>
  limit === undefined ? words : `${words} of ${limit}`

const Period = ({ title, used, limit }: { title: string; used: UsedReply; limit: Limit }) => {
  const tokens = limit.tokens === null ? undefined : wholeNumber(limit.tokens)
  return (
    <div>
      <dt className="label">{title}</dt>
      <dd className="text-lg tabular-nums">
        {ofLimit(dollars(used.usd), limit.usd === null ? undefined : dollars(limit.usd))}
      </dd>
      <Used some={used.usd} most={limit.usd} />
      {tokens !== undefined && (
        <dd className="mt-2 tabular-nums">
          {wholeNumber(used.tokens)} of {tokens} tokens
        </dd>
      )}
      <Used some={used.tokens} most={limit.tokens} />
      <dd className="text-sm text-soft tabular-nums">
        {tokens === undefined && `${wholeNumber(used.tokens)} tokens · `}
        {counted(used.calls, 'call')} · {counted(used.asked, 'session')}
      </dd>
    </div>
  )
}

const ByDay = ({ payer: { name, days } }: { payer: TeamPayerReply }) => (
  <details className="text-sm">
    <summary className="w-fit cursor-pointer text-soft">By day</summary>
    <ScrollRegion label={`What ${name} used by day`} className="mt-2 overflow-x-auto">
      <table className="w-full text-right tabular-nums">
        <thead className="text-soft">
          <tr>
            <th scope="col" className="py-1 pr-4 text-left font-medium">
              Day
            </th>
            {['Dollars', 'Tokens', 'Calls', 'Sessions'].map(label => (
              <th key={label} scope="col" className="py-1 pl-4 font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, usd, tokens, calls, asked }) => (
            <tr key={day} className="border-t border-line">
              <th scope="row" className="py-1 pr-4 text-left font-normal whitespace-nowrap">
                {utcDayText(day)}
              </th>
              {[dollars(usd), wholeNumber(tokens), wholeNumber(calls), wholeNumber(asked)].map(
                (figure, index) => (
                  <td key={['usd', 'tokens', 'calls', 'asked'][index]} className="py-1 pl-4">
                    {figure}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  </details>
)

const Payer = ({ payer }: { payer: TeamPayerReply }) => {
  const [setting, setSetting] = useState(false)
  const isTeam = payer.id === 'team'
  const name = isTeam ? 'The whole team' : payer.name
  return (
    <li className="space-y-3 py-4">
      <div className="flex items-center justify-between gap-3">
        <h3 dir="auto" className="min-w-0 font-medium wrap-anywhere">
          {name}
        </h3>
        <Button
          aria-label={`Set the budget of ${isTeam ? 'the team' : name}`}
          onClick={() => setSetting(true)}
        >
          Budget
        </Button>
      </div>
      <dl className="grid gap-x-10 gap-y-3 sm:grid-cols-2">
        <Period title="Today" used={payer.today} limit={payer.budget.day} />
        <Period title="This month" used={payer.month} limit={payer.budget.month} />
      </dl>
      {payer.days.length > 0 && <ByDay payer={{ ...payer, name }} />}
      {setting && <BudgetDialog payer={{ ...payer, name }} onClose={() => setSetting(false)} />}
    </li>
  )
}

export const Spending = ({ spending }: { spending: TeamSpendingReply }) => (
  <ul className="-my-4 divide-y divide-line">
    {spending.payers.map(payer => (
      <Payer key={payer.id} payer={payer} />
    ))}
  </ul>
)

// team: The team, for admins: people, invitations, keys, what everybody spent, the audit log, and retention.

const day = 86_400

const Retention = ({ keepSeconds }: { keepSeconds: number | null }) => (
  <p className="text-sm">
    {keepSeconds === null
      ? 'Sessions are kept until somebody deletes them.'
      : `Finished sessions are deleted after ${keepSeconds % day === 0 ? counted(keepSeconds / day, 'day') : counted(keepSeconds / 3_600, 'hour')}.`}{' '}
    <span className="text-soft">
      {keepSeconds === null ? 'They can be deleted after some time' : 'The time can be changed'}: on the
      server, for example with <code>ROUNDTABLE_KEEP=90d</code>.
    </span>
  </p>
)

/** Pieces that come one by one would push down what is being read. */
const useTeam = () => {
  const members = useQuery({ queryKey: ['team', 'people'], queryFn: fetchMembers })
  const invitations = useQuery({ queryKey: ['team', 'invitations'], queryFn: fetchInvitations })
  const keys = useQuery({ queryKey: ['team', 'keys'], queryFn: fetchKeys })
  const spending = useQuery({ queryKey: ['team', 'spending'], queryFn: fetchSpending })
  const retention = useQuery({ queryKey: ['team', 'retention'], queryFn: fetchRetention })
  const audit = useAudit()
  const parts = [members, invitations, keys, spending, retention, audit]
  return {
    ...{ members, invitations, keys, spending, retention },
    error: parts.find(part => part.error)?.error,
    wait: parts.some(part => part.isPending),
  }
}

const Team = () => {
  const { members, invitations, keys, spending, retention, error, wait } = useTeam()
  if (error && wait) return <Failed title="The team can’t be loaded" error={error} />
  if (wait) return <Waiting what="Loading the team" />
  return (
    <div className="mx-auto max-w-4xl space-y-5 px-4 pt-6 pb-16 sm:px-6 sm:pt-10">
      <h1 className="said text-3xl font-semibold tracking-tight">Team</h1>
      <Section title="People">
        <People people={members.data?.people ?? []} />
      </Section>
      <Section title="Invite somebody" hint="You get a link to send. Whoever opens it makes one account.">
        <Invitations invitations={invitations.data?.invitations ?? []} />
      </Section>
      <Section
        title="Spending and budgets"
        hint="What calls to paid models cost. What people asked in private stays private."
      >
        {spending.data && <Spending spending={spending.data} />}
      </Section>
      <Section title="API keys" hint="For programs. The keys themselves are never shown.">
        <Keys keys={keys.data?.keys ?? []} />
      </Section>
      <Section title="Audit log" hint="Who did what, when and from where. Nobody can change it here.">
        <AuditLog />
      </Section>
      <Section title="How long sessions are kept">
        <Retention keepSeconds={retention.data?.keepSeconds ?? null} />
      </Section>
    </div>
  )
}

export const Page = () => {
  useTitle('Team')
  const may = useMay('manage-people')
  if (!hasAccounts())
    return (
      <Notice title="This server has no accounts">
        <p>
          Start it with <code>ROUNDTABLE_ACCOUNTS=on</code> to give each person an account of their own.
        </p>
        <NoticeLink to="/">Ask a question</NoticeLink>
      </Notice>
    )
  if (may) return <Team />
  return (
    <Notice title="For admins">
      <p>Only an admin of this server can manage the team.</p>
      <NoticeLink to="/sessions">Show all sessions</NoticeLink>
    </Notice>
  )
}
