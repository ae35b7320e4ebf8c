/** Who is logged in, and the ways to their account, to the team and out. */
import { useNavigate } from '@tanstack/react-router'
import { useMe } from '../account.ts'
import { useGoneSessions } from './gone-sessions.ts'
import { Menu, MenuHead, MenuItem, MenuLink } from './menu.tsx'

/** Even if the server can't be reached: the next page says so. */
const signOut = async (): Promise<void> => {
  await fetch('/sign-out', { method: 'POST', redirect: 'manual' }).catch(() => undefined)
  location.assign('/sign-in')
}

const initialOf = (name: string): string => [...name][0]?.toUpperCase() ?? '?'

export default function AccountMenu() {
  useGoneSessions()
  const me = useMe()
  const navigate = useNavigate()
  if (!me?.person) return null
  const { name, role } = me.person
  return (
    <Menu
      label={initialOf(name)}
      described={`Account of ${name}`}
      bare
      className="size-9 rounded-full! p-0! font-semibold!"
    >
      <MenuHead>
        <span className="font-medium text-ink">{name}</span>, {role}
      </MenuHead>
      <MenuLink href="/account">Your account</MenuLink>
      {me.may.includes('manage-people') && (
        <MenuItem onSelect={() => navigate({ to: '/team' })}>Team</MenuItem>
      )}
      <MenuItem onSelect={signOut}>Log out</MenuItem>
    </Menu>
  )
}
