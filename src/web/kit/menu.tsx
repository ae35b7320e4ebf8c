/** Menus, and the one of who is logged in. The library behind them is large, so pages load this when it is opened. */

import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { DropdownMenu } from 'radix-ui'
import { type ReactNode, useEffect, useRef } from 'react'
import { fetchSession, RequestRefused, useMe, useReachable } from './api.ts'
import { type ButtonKind, buttonClass, menuPlace } from './frame.tsx'

const itemClass =
  'flex w-full items-center rounded-md px-3 py-2 text-sm outline-none data-highlighted:bg-shade data-highlighted:text-ink'

interface MenuProps {
  readonly label: string
  /** What a screen reader hears, if the label alone says too little. */
  readonly described?: string
  readonly kind?: ButtonKind
  readonly className?: string
  /** Without the arrow. */
  readonly bare?: boolean
  readonly children: ReactNode
}

export const Menu = ({ label, described, kind, className, bare, children }: MenuProps) => (
  // Not modal: that would lock the page's scrolling by a style element, which the content policy refuses.
  <DropdownMenu.Root modal={false}>
    <DropdownMenu.Trigger aria-label={described} className={buttonClass(kind, className)}>
      {label}
      {!bare && (
        <span aria-hidden="true" className="max-[359px]:hidden">
          ▾
        </span>
      )}
    </DropdownMenu.Trigger>
    <DropdownMenu.Portal container={document.getElementById(menuPlace)}>
      <DropdownMenu.Content align="end" sideOffset={6} className="card z-40 min-w-44 p-1 shadow-lg">
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  </DropdownMenu.Root>
)

interface MenuItemProps {
  readonly onSelect: () => void
  readonly danger?: boolean
  readonly children: ReactNode
}

export const MenuItem = ({ onSelect, danger, children }: MenuItemProps) => (
  <DropdownMenu.Item onSelect={onSelect} className={`${itemClass} ${danger ? 'text-bad' : ''}`}>
    {children}
  </DropdownMenu.Item>
)

export const MenuLink = ({
  href,
  download,
  children,
}: {
  href: string
  download?: string
  children: ReactNode
}) => (
  <DropdownMenu.Item asChild>
    <a href={href} download={download} className={itemClass}>
      {children}
    </a>
  </DropdownMenu.Item>
)

/** Words above the things to do. */
export const MenuHead = ({ children }: { children: ReactNode }) => (
  <DropdownMenu.Label className="max-w-64 border-b border-line px-3 py-2 text-sm wrap-anywhere text-soft">
    {children}
  </DropdownMenu.Label>
)

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
