/** A part of a page with a heading. */
import type { ReactNode } from 'react'

interface SectionProps {
  readonly title: string
  readonly hint?: ReactNode
  readonly children: ReactNode
}

export const Section = ({ title, hint, children }: SectionProps) => (
  <section aria-label={title} className="card min-w-0 p-4 sm:p-6">
    <h2 className="said text-xl font-semibold">{title}</h2>
    {hint && <p className="mt-1 text-sm text-soft">{hint}</p>}
    <div className="mt-4">{children}</div>
  </section>
)
