/** Every page and its address. A page is loaded when it is first opened. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  Link,
} from '@tanstack/react-router'
import { Notice } from './components/notice.tsx'
import { type LazyPage, lazyPage } from './lazy-page.tsx'
import { Shell } from './shell.tsx'

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
  page('/', () => import('./pages/ask/index.tsx')),
  page('/s/$id', () => import('./pages/session/index.tsx')),
  page('/shared/$token', () => import('./pages/shared/index.tsx')),
  page('/seat/$token', () => import('./pages/seat/index.tsx')),
  page('/sessions', () => import('./pages/archive/index.tsx')),
  page('/letters', () => import('./pages/letters/index.tsx')),
  page('/letters/$id', () => import('./pages/letters/book.tsx')),
  page('/models', () => import('./pages/models/index.tsx')),
  page('/model', () => import('./pages/models/one-model.tsx')),
  page('/compare', () => import('./pages/compare/index.tsx')),
  page('/settings', () => import('./pages/settings/index.tsx')),
  page('/team', () => import('./pages/team/index.tsx')),
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
