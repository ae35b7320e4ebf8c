/** A share as a bar; the figure stands beside it as text. */
export const Bar = ({ share, className }: { share: number; className: string }) => (
  <svg className={`h-2.5 ${className}`} aria-hidden="true">
    <rect width="100%" height="100%" rx="4" fill="var(--shade)" />
    <rect width={`${Math.min(1, share) * 100}%`} height="100%" rx="4" fill="var(--accent)" />
  </svg>
)
