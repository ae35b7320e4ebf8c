/** Something wider than the page: it scrolls by itself, with the keyboard too. */
import type { ReactNode } from 'react'

export const ScrollRegion = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without focus, arrow keys would not scroll it
  <section tabIndex={0} aria-label={label} className="relative overflow-x-auto">
    {children}
  </section>
)
