/** Buttons, and links that look like them. */
import type { ButtonHTMLAttributes } from 'react'

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'

const kinds: Record<ButtonKind, string> = {
  primary: 'bg-accent text-on-accent hover:opacity-90 border-transparent',
  plain: 'bg-surface text-ink border-line hover:border-edge',
  quiet: 'border-transparent text-soft hover:text-ink hover:bg-shade',
  danger: 'bg-surface text-bad border-line hover:border-bad',
}

/** For an `<a>` that should look like a button. */
export const buttonClass = (kind: ButtonKind = 'plain', className = ''): string =>
  `inline-flex min-h-9 items-center justify-center gap-2 rounded-lg border px-2 py-1.5 text-sm min-[360px]:px-2.5 sm:px-3 font-medium ` +
  `whitespace-nowrap transition-colors disabled:opacity-50 ${kinds[kind]} ${className}`

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: ButtonKind
}

export const Button = ({ kind, className, type = 'button', ...rest }: ButtonProps) => (
  <button type={type} className={buttonClass(kind, className)} {...rest} />
)
