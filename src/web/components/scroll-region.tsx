/** Something wider than the page: it scrolls by itself, with the keyboard too. */
import type { ReactNode } from 'react'

interface ScrollRegionProps {
  readonly label: string
  readonly className?: string
  readonly children: ReactNode
}

export const ScrollRegion = ({ label, className = 'overflow-x-auto', children }: ScrollRegionProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without focus, arrow keys would not scroll it
  <section tabIndex={0} aria-label={label} className={`relative ${className}`}>
    {children}
  </section>
)
