/** The entry of the pages. */

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { askWho } from './kit/api.ts'
import { preloadPages, router } from './shell.tsx'

const queries = new QueryClient({
  defaultOptions: {
    // A server on this machine answers even if the browser says that it is offline.
    queries: { staleTime: 10_000, retry: 1, refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

// Beside the first page, which may need to know it.
void askWho()

const root = document.getElementById('root')
if (!root) throw new Error('The page has no element with the id "root".')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)

/** Milliseconds: the first page and its data come first. */
const wait = 3_000
setTimeout(preloadPages, wait)
