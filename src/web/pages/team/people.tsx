/** Everybody with an account: their role, how they log in, and what an admin can do about it. */
import { useState } from 'react'
import type { MemberReply } from '../../../api/index.ts'
import { type Role, roles } from '../../../core/role.ts'
import { dayText } from '../../../core/wording/dates.ts'
import { counted, listed } from '../../../core/wording/numbers.ts'
import { useMe } from '../../account.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { changeRole, setDisabled, signOutEverywhere, useReadAgain } from './requests.ts'

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
