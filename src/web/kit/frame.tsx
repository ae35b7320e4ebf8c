/** Buttons, and links that look like them. */

import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useRouter } from '@tanstack/react-router'
import {
  type ButtonHTMLAttributes,
  createElement,
  type ReactElement,
  type ReactNode,
  use,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { campFill, campPatterns, type DrawnShape } from '../../words/camp-patterns.ts'
import { RequestRefused, serverLost, useReachable } from './api.ts'

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'

const kinds: Record<ButtonKind, string> = {
  primary: 'bg-accent text-on-accent hover:opacity-90 border-transparent',
  plain: 'bg-surface text-ink border-line hover:border-edge',
  quiet: 'border-transparent text-soft hover:text-ink hover:bg-shade',
  danger: 'bg-surface text-bad border-line hover:border-bad',
}

/** For an `<a>` that should look like a button. */
export const buttonClass = (kind: ButtonKind = 'plain', className = ''): string =>
  `inline-flex min-h-9 items-center justify-center gap-2 rounded-lg border px-2 py-1.5 text-sm min-[360px]:px-2.5 sm:px-3 font-medium ` +
  `whitespace-nowrap transition-colors disabled:opacity-50 ${kinds[kind]} ${className}`

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: ButtonKind
}

export const Button = ({ kind, className, type = 'button', ...rest }: ButtonProps) => (
  <button type={type} className={buttonClass(kind, className)} {...rest} />
)

// drawing: A drawing of the core as elements of the page.

interface DrawingProps {
  readonly shape: DrawnShape
  readonly className?: string
}

export const Drawing = ({ shape: { tag, attributes, children }, className }: DrawingProps): ReactElement =>
  createElement(
    tag,
    { ...attributes, className },
    // The parts of a drawing have no names, and never change their places.
    ...children.map(child => (typeof child === 'string' ? child : <Drawing shape={child} />)),
  )

// camp: Camps in colour, pattern and number: never in colour alone.

/** The patterns, once for the document; every drawing refers to them. */
export const CampPatterns = ({ count }: { count: number }) => (
  <svg width="0" height="0" className="absolute" aria-hidden="true">
    <Drawing shape={campPatterns(count)} />
  </svg>
)

/** A camp's swatch with its number; the label stands beside it as text. */
export const CampMark = ({ index, className = 'size-5' }: { index: number; className?: string }) => (
  <svg viewBox="0 0 20 20" className={`inline-block shrink-0 ${className}`} aria-hidden="true">
    <rect x="1" y="1" width="18" height="18" rx="5" fill={campFill(index)} />
    <circle cx="10" cy="10" r="6.2" fill="var(--surface)" />
    <text x="10" y="13.4" textAnchor="middle" fontSize="9.5" fontWeight="700" fill="var(--ink)">
      {index + 1}
    </text>
  </svg>
)

// dialog: A dialog over the page: the browser's own, which keeps the focus inside and closes on Escape.

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Shown for as long as it is rendered. */
export const Dialog = ({ title, onClose, children }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  // At once: a key that is pressed a paint later belongs to the dialog.
  useLayoutEffect(() => element.current?.showModal(), [])
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onClose={onClose}
      className="card m-auto w-[min(34rem,calc(100vw-2rem))] p-6 text-start text-ink shadow-xl"
    >
      <h2 id={id} className="text-lg font-semibold">
        {title}
      </h2>
      <div className="mt-4">{children}</div>
    </dialog>
  )
}

/** The mark: seats around a table, one of them of another mind. */
export const Mark = ({ className }: { className?: string }) => (
  <svg viewBox="0 0 32 32" className={className} aria-hidden="true" fill="currentColor">
    <circle cx="16" cy="16" r="7" fill="none" stroke="currentColor" strokeWidth="2.5" />
    <circle cx="16" cy="4.2" r="2.7" />
    <circle cx="26.2" cy="10.1" r="2.7" />
    <circle cx="26.2" cy="21.9" r="2.7" />
    <circle cx="16" cy="27.8" r="2.7" />
    <circle cx="5.8" cy="21.9" r="2.7" />
    <circle cx="5.8" cy="10.1" r="2" fill="none" stroke="currentColor" strokeWidth="1.6" />
  </svg>
)

/** The element in which menus are drawn: on the page's main part, where a screen reader looks for what belongs to it. */
export const menuPlace = 'menus'

// notice: What a page shows when it is empty or loading, or when something went wrong.

interface NoticeProps {
  readonly title: string
  readonly children?: ReactNode
}

/** An empty state: what is missing, and how to fill it. */
export const Notice = ({ title, children }: NoticeProps) => (
  <div className="mx-auto flex max-w-md flex-col items-center gap-4 px-4 py-20 text-center">
    <Mark className="size-12 text-line" />
    <h1 className="said text-2xl font-semibold">{title}</h1>
    <div className="text-soft">{children}</div>
  </div>
)

interface NoticeLinkProps {
  readonly to: '/' | '/sessions' | '/models'
  readonly kind?: ButtonKind
  readonly children: string
}

/** The one step that helps, below the words. */
export const NoticeLink = ({ to, kind, children }: NoticeLinkProps) => (
  <p className="mt-4">
    <Link to={to} className={buttonClass(kind)}>
      {children}
    </Link>
  </p>
)

interface FailedProps {
  readonly title: string
  readonly error: Error
  /** What helps, if the server is there. */
  readonly children?: ReactNode
}

/** The data of a page did not come. If the server is gone, another notice says so, and it loads once it is back. */
export const Failed = ({ title, error, children }: FailedProps) =>
  RequestRefused.isUnreachable(error) ? (
    <Notice title="Nothing is loaded yet">
      This page loads by itself as soon as the server answers. If it stays like this, check that Roundtable is
      still running.
    </Notice>
  ) : (
    <Notice title={title}>
      <p>{error.message}</p>
      {children}
    </Notice>
  )

/** Something that a person asked for did not work. */
export const Problem = ({ error }: { error: Error }) => (
  <p role="alert" className="rounded-lg border border-bad px-3 py-2 text-sm wrap-anywhere text-bad">
    {error.message}
  </p>
)

/** Shown while a page or its data loads. */
export const Waiting = ({ what = 'Loading' }: { what?: string }) => (
  <output className="mx-auto flex max-w-md flex-col items-center gap-4 py-24 text-soft">
    <Mark className="breathing size-12 text-accent" />
    {what}…
  </output>
)

// serverGone: Says that the server can't be reached, over the page and without moving it; and loads again once it is back.

export const ServerGone = () => {
  const reachable = useReachable()
  const queries = useQueryClient()
  const router = useRouter()
  const wasGone = useRef(false)
  useEffect(() => {
    if (!reachable) {
      wasGone.current = true
      return
    }
    if (!wasGone.current) return
    wasGone.current = false
    void queries.refetchQueries({ predicate: ({ state }) => state.status === 'error' })
    void router.invalidate()
  }, [reachable, queries, router])
  return (
    <div role="status" className="fixed inset-x-0 bottom-20 z-40 flex justify-center px-4 print:hidden">
      {!reachable && (
        <p className="settling rounded-lg border border-bad bg-surface px-4 py-2 text-sm shadow-lg">
          <span className="font-semibold">The connection is lost.</span> Trying again. Nothing will be missed.
        </p>
      )}
    </div>
  )
}

// shortcuts: Single keys for what people do most. They can be switched off, since some people press keys by accident or by voice.

const setting = 'shortcuts'
const areOn = (): boolean => localStorage.getItem(setting) !== 'off'

const keys = [
  { key: '/', does: 'Search sessions' },
  { key: 'n', does: 'Ask a new question' },
  { key: '?', does: 'Show this list' },
  { key: 'Ctrl + Enter', does: 'Ask the table, from the question' },
  { key: 'Esc', does: 'Close a dialog or a menu' },
] as const

/** Keys belong to whoever types, and to an open dialog. */
const isTaken = (event: KeyboardEvent): boolean =>
  event.defaultPrevented ||
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  (event.target instanceof Element &&
    event.target.closest('input, textarea, select, [contenteditable], [role=menu]') !== null) ||
  document.querySelector('dialog[open]') !== null

/** The page may still be loading. Whoever moves on meanwhile isn't pulled back. */
const focusWhenThere = (selector: string): void => {
  const over = new AbortController()
  const focus = (): void => {
    const element = document.querySelector<HTMLElement>(selector)
    if (!element || over.signal.aborted) return
    over.abort()
    element.focus()
  }
  const arrivals = new MutationObserver(focus)
  over.signal.addEventListener('abort', () => arrivals.disconnect())
  addEventListener('pointerdown', () => over.abort(), over)
  addEventListener('keydown', ({ key }) => key === 'Tab' && over.abort(), over)
  arrivals.observe(document.body, { childList: true, subtree: true })
  focus()
}

const Help = ({ onClose }: { onClose: () => void }) => {
  const [on, setOn] = useState(areOn)
  const toggle = (): void => {
    localStorage.setItem(setting, on ? 'off' : 'on')
    setOn(!on)
  }
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-5 gap-y-2">
        {keys.map(({ key, does }) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded border border-edge bg-shade px-1.5 py-0.5 text-sm">{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label className="mt-5 flex items-center gap-2 text-sm">
        <input type="checkbox" className="size-4 accent-accent" checked={on} onChange={toggle} />
        Turn on one-key shortcuts
      </label>
      <p className="mt-5 flex justify-end">
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      </p>
    </Dialog>
  )
}

export const Shortcuts = () => {
  const navigate = useNavigate()
  const [helping, setHelping] = useState(false)
  useEffect(() => {
    const press = async (event: KeyboardEvent): Promise<void> => {
      if (isTaken(event) || !areOn()) return
      if (event.key === '?') setHelping(true)
      if (event.key !== '/' && event.key !== 'n') return
      event.preventDefault()
      await navigate({ to: event.key === '/' ? '/sessions' : '/' })
      focusWhenThere(event.key === '/' ? '#search-sessions' : '#question')
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [navigate])
  return (
    <>
      <button
        type="button"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
        onClick={() => setHelping(true)}
        className="hidden size-9 place-items-center rounded-lg text-soft hover:bg-shade hover:text-ink sm:grid"
      >
        <span aria-hidden="true" className="font-semibold">
          ?
        </span>
      </button>
      {helping && <Help onClose={() => setHelping(false)} />}
    </>
  )
}

// theme: Light, dark, or the same as the system: stored, and applied to the whole document.

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const isTheme = (value: string | null): value is Theme => themes.some(theme => theme === value)

const storedTheme = (): Theme => {
  const stored = localStorage.getItem('theme')
  return isTheme(stored) ? stored : 'system'
}

const listeners = new Set<() => void>()

export const chooseTheme = (theme: Theme): void => {
  localStorage.setItem('theme', theme)
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** It is chosen in two places, which must not contradict each other. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, storedTheme)

// themeSwitch: One button that goes through light, dark and the system's own choice.

const drawings: Record<Theme, string> = {
  system: 'M10 3a7 7 0 1 1 0 14a7 7 0 1 1 0-14Z M10 3v14 M12 5v10 M14 6v8 M16 8v4',
  light: 'M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7Z M10 1v2.5 M10 16.5V19 M1 10h2.5 M16.5 10H19',
  dark: 'M16.5 12.5A7 7 0 0 1 7.5 3.5a7 7 0 1 0 9 9Z',
}

export const ThemeSwitch = () => {
  const theme = useTheme()
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
  return (
    <button
      type="button"
      onClick={() => chooseTheme(next)}
      aria-label={`Theme: ${theme}. Change to ${next}`}
      title={`Theme: ${theme}`}
      className="grid size-9 place-items-center rounded-lg text-soft hover:bg-shade hover:text-ink"
    >
      <svg viewBox="0 0 20 20" className="size-5" aria-hidden="true" stroke="currentColor" strokeWidth="1.6">
        <path d={drawings[theme]} fill="none" strokeLinecap="round" />
      </svg>
    </button>
  )
}

// lazyPage: A page that is loaded when it is first needed. If that fails, the app stays, and the next try may succeed.

type PageComponent = () => ReactNode

/** `preload` loads the page before it is needed, and never fails. */
export type LazyPage = PageComponent & { preload(): Promise<void> }

export const lazyPage = (load: () => Promise<{ Page: PageComponent }>): LazyPage => {
  let loaded: PageComponent | undefined
  let loading: Promise<PageComponent> | undefined
  const find = (): Promise<PageComponent> => {
    loading ??= load().then(
      ({ Page }) => {
        loaded = Page
        return Page
      },
      (error: unknown) => {
        loading = undefined
        serverLost()
        throw error
      },
    )
    return loading
  }
  const Lazy = () => {
    const Page = loaded ?? use(find())
    return <Page />
  }
  return Object.assign(Lazy, {
    preload: () =>
      find().then(
        () => undefined,
        () => undefined,
      ),
  })
}
