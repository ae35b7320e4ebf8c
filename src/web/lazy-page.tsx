/** A page that is loaded when it is first needed. If that fails, the app stays, and the next try may succeed. */
import { type ReactNode, use } from 'react'
import { serverLost } from './reachable.ts'

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
