/** The frame of every page: logo, navigation and theme. */

import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  Link,
  Outlet,
  useRouterState,
} from '@tanstack/react-router'
import { lazy, Suspense, useLayoutEffect, useRef } from 'react'
import { distinctCamps } from '../words/camp-patterns.ts'
import { hasAccounts, isGuestPage } from './kit/api.ts'
import {
  CampPatterns,
  type LazyPage,
  lazyPage,
  Mark,
  menuPlace,
  Notice,
  ServerGone,
  Shortcuts,
  ThemeSwitch,
  Waiting,
} from './kit/frame.tsx'

const AccountMenu = lazy(() => import('./kit/menu.tsx'))

const links = [
  { to: '/', label: 'Ask' },
  { to: '/sessions', label: 'Sessions', above: /^\/(compare|letters)/ },
  { to: '/models', label: 'Models', above: /^\/model$/ },
  { to: '/settings', label: 'Settings' },
] as const

export const Shell = () => {
  const main = useRef<HTMLElement>(null)
  const path = useRouterState({ select: state => state.location.pathname })
  const first = useRef(path)
  // Without this, a screen reader stays on the link and reads nothing of the new page. It comes with the page,
  // not a paint later: by then the person may have moved on, and would be pulled back.
  useLayoutEffect(() => {
    if (first.current !== path) main.current?.focus({ preventScroll: true })
    first.current = path
  }, [path])
  return (
    <>
      <a
        href="#main"
        className="print:hidden fixed top-2 left-2 z-50 -translate-y-20 rounded-lg bg-accent px-4 py-2 text-on-accent focus:translate-y-0"
      >
        Skip to the content
      </a>
      <CampPatterns count={distinctCamps} />
      <Header path={path} guest={path.startsWith('/seat/')} account={hasAccounts() && !isGuestPage(path)} />
      <ServerGone />
      <main ref={main} id="main" tabIndex={-1} className="outline-none">
        <Suspense fallback={<Waiting />}>
          <Outlet />
        </Suspense>
        <div id={menuPlace} />
      </main>
    </>
  )
}

interface HeaderProps {
  readonly path: string
  /** Somebody with a link for a seat, for whom the other pages are closed. */
  readonly guest: boolean
  /** Somebody is logged in. */
  readonly account: boolean
}

const Header = ({ path, guest, account }: HeaderProps) => (
  <header className="sticky top-0 z-30 border-b border-line bg-paper/95 backdrop-blur print:hidden">
    <nav
      aria-label="Pages"
      className="mx-auto flex h-14 max-w-[100rem] items-center px-2 min-[360px]:gap-0.5 sm:gap-2 sm:px-6"
    >
      {guest ? (
        <span className="flex items-center gap-2.5 py-1">
          <Mark className="size-7 text-accent" />
          <span className="said text-lg font-semibold tracking-tight">Roundtable</span>
        </span>
      ) : (
        <Link
          to="/"
          className="mr-1 flex items-center gap-2.5 rounded-md py-1 sm:mr-4"
          aria-label="Roundtable"
        >
          <Mark className="size-7 text-accent" />
          <span className="said hidden text-lg font-semibold tracking-tight sm:inline">Roundtable</span>
        </Link>
      )}
      {(guest ? [] : links).map(({ to, label, ...more }) => (
        <Link
          key={to}
          to={to}
          aria-current={'above' in more && more.above.test(path) ? true : undefined}
          className="rounded-md px-1 py-1.5 text-sm font-medium text-soft hover:text-ink aria-[current]:bg-shade aria-[current]:text-ink min-[360px]:px-1.5 sm:px-3"
          activeProps={{ 'aria-current': 'page' }}
          activeOptions={{ exact: to === '/' }}
        >
          {label}
        </Link>
      ))}
      <span className="grow" />
      {!guest && <Shortcuts />}
      <ThemeSwitch />
      {account && (
        <span className="size-9 shrink-0">
          <Suspense>
            <AccountMenu />
          </Suspense>
        </span>
      )}
    </nav>
  </header>
)

// routes: Every page and its address. A page is loaded when it is first opened.

const NotFound = () => (
  <Notice title="Page not found">
    Check the link, or look in{' '}
    <Link to="/sessions" className="text-accent underline underline-offset-2">
      your sessions
    </Link>
    .
  </Notice>
)

const Failed = ({ error }: ErrorComponentProps) => (
  <Notice title="This page failed">
    Reload it to try again. ({error instanceof Error ? error.message : String(error)})
  </Notice>
)

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })

const pages: LazyPage[] = []

const page = <Path extends string>(path: Path, load: () => Promise<{ Page: () => React.ReactNode }>) => {
  const component = lazyPage(load)
  pages.push(component)
  return createRoute({ getParentRoute: () => root, path, component })
}

/** So that a click still opens a page if the server has gone meanwhile. */
export const preloadPages = (): void => {
  for (const { preload } of pages) void preload()
}

const routes = root.addChildren([
  page('/', () => import('./ask/index.tsx')),
  page('/s/$id', () => import('./session/session.tsx')),
  page('/shared/$token', () => import('./session/shared.tsx')),
  page('/seat/$token', () => import('./pages/seat-index.tsx')),
  page('/sessions', () => import('./pages/archive.tsx')),
  page('/letters', () => import('../letters/letters.tsx')),
  page('/letters/$id', () => import('../letters/book.tsx')),
  page('/models', () => import('./pages/models-index.tsx')),
  page('/model', () => import('./pages/one-model.tsx')),
  page('/compare', () => import('./pages/compare.tsx')),
  page('/settings', () => import('./pages/settings.tsx')),
  page('/team', () => import('../accounts/team-page.tsx')),
])

export const router = createRouter({
  routeTree: routes,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: Failed,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
