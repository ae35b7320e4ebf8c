/** What a page shows when it is empty or loading, or when something went wrong. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { RequestRefused } from '../api.ts'
import { type ButtonKind, buttonClass } from './button.tsx'
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
