/** A button that opens a list of things to do. */
import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { type ButtonKind, buttonClass } from './button.tsx'
import { menuPlace } from './menu-place.ts'

const itemClass =
  'flex w-full items-center rounded-md px-3 py-2 text-sm outline-none data-highlighted:bg-shade data-highlighted:text-ink'

interface MenuProps {
  readonly label: string
  /** What a screen reader hears, if the label alone says too little. */
  readonly described?: string
  readonly kind?: ButtonKind
  readonly className?: string
  /** Without the arrow. */
  readonly bare?: boolean
  readonly children: ReactNode
}

export const Menu = ({ label, described, kind, className, bare, children }: MenuProps) => (
  // Not modal: that would lock the page's scrolling by a style element, which the content policy refuses.
  <DropdownMenu.Root modal={false}>
    <DropdownMenu.Trigger aria-label={described} className={buttonClass(kind, className)}>
      {label}
      {!bare && (
        <span aria-hidden="true" className="max-[359px]:hidden">
          ▾
        </span>
      )}
    </DropdownMenu.Trigger>
    <DropdownMenu.Portal container={document.getElementById(menuPlace)}>
      <DropdownMenu.Content align="end" sideOffset={6} className="card z-40 min-w-44 p-1 shadow-lg">
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  </DropdownMenu.Root>
)

interface MenuItemProps {
  readonly onSelect: () => void
  readonly danger?: boolean
  readonly children: ReactNode
}

export const MenuItem = ({ onSelect, danger, children }: MenuItemProps) => (
  <DropdownMenu.Item onSelect={onSelect} className={`${itemClass} ${danger ? 'text-bad' : ''}`}>
    {children}
  </DropdownMenu.Item>
)

export const MenuLink = ({
  href,
  download,
  children,
}: {
  href: string
  download?: string
  children: ReactNode
}) => (
  <DropdownMenu.Item asChild>
    <a href={href} download={download} className={itemClass}>
      {children}
    </a>
  </DropdownMenu.Item>
)

/** Words above the things to do. */
export const MenuHead = ({ children }: { children: ReactNode }) => (
  <DropdownMenu.Label className="max-w-64 border-b border-line px-3 py-2 text-sm wrap-anywhere text-soft">
    {children}
  </DropdownMenu.Label>
)
