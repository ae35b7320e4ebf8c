/** What a page shows when it is empty or loading, or when something went wrong. */
import type { ReactNode } from 'react'
import { Mark } from './mark.tsx'

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
