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
