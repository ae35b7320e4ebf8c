/** Who is logged in, and the ways to their account, to the team and out. */

import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { fetchSession, RequestRefused, useMe, useReachable } from './api.ts'
import { Menu, MenuHead, MenuItem, MenuLink } from './dialogs.tsx'

// goneSessions: A session that a page watches may become private: the stream is refused without a reason, and would be tried forever.

const words = 'You can no longer see this session: its owner has made it private, or deleted it.'

/** After each interruption, asks for the sessions that are shown, and takes those away that are gone. */
export const useGoneSessions = (): void => {
  const queries = useQueryClient()
  const reachable = useReachable()
  const lost = useRef(false)
  useEffect(() => {
    const shown = queries.getQueryCache().findAll({ queryKey: ['session'], type: 'active' })
    if (reachable && lost.current)
      for (const query of shown)
        fetchSession(String(query.queryKey[1])).catch((error: unknown) => {
          if (!(error instanceof RequestRefused) || error.status !== 404) return
          query.setState({ data: undefined, status: 'error', error: new RequestRefused(words, 404) })
        })
    lost.current = !reachable
  }, [reachable, queries])
}

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
