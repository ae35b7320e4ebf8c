/** A link to a page with parameters. It stays in the app: the page opens even if the server has gone. */

import { useLocation, useRouter } from '@tanstack/react-router'
import {
  type AnchorHTMLAttributes,
  type MouseEvent,
  type ReactNode,
  type RefCallback,
  useCallback,
  useEffect,
  useMemo,
  useState,
} from 'react'
import { Button, type ButtonKind } from './frame.tsx'

/** Another button or key means another window, which is the browser's business. */
const isPlain = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey

interface AppLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly href: string
}

export const AppLink = ({ href, ...rest }: AppLinkProps) => {
  const { history } = useRouter()
  const follow = (event: MouseEvent): void => {
    if (!isPlain(event)) return
    event.preventDefault()
    history.push(href)
  }
  return <a href={href} onClick={follow} {...rest} />
}

/** A share as a bar; the figure stands beside it as text. */
export const Bar = ({ share, className }: { share: number; className: string }) => (
  <svg className={`h-2.5 ${className}`} aria-hidden="true">
    <rect width="100%" height="100%" rx="4" fill="var(--shade)" />
    <rect width={`${Math.min(1, share) * 100}%`} height="100%" rx="4" fill="var(--accent)" />
  </svg>
)

// copyButton: Copies a text and says so. The text is made when the button is pressed.

/** Puts text on the clipboard, also where the browser's own way is missing: on a plain http address of another machine. */
const copyBySelection = (text: string): boolean => {
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'fixed top-0 left-0 opacity-0'
  // A dialog that is open makes everything outside of it unreachable.
  const place = document.querySelector('dialog[open]') ?? document.body
  const before = document.activeElement
  place.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  return copied
}

export const copyText = async (text: string): Promise<boolean> => {
  try {
    if (!navigator.clipboard) return copyBySelection(text)
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

interface CopyButtonProps {
  readonly label: string
  /** What a screen reader hears, if the label alone says too little. */
  readonly described?: string
  readonly kind?: ButtonKind
  readonly className?: string
  text(): string
}

type Done = 'copied' | 'failed'
const said: Record<Done, string> = { copied: 'Copied', failed: 'Can’t copy' }
const shownFor = 2_000

export const CopyButton = ({ label, described, kind = 'quiet', className, text }: CopyButtonProps) => {
  const [done, setDone] = useState<Done>()
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => setDone(undefined), shownFor)
    return () => clearTimeout(timer)
  }, [done])
  const copy = async (): Promise<void> => setDone((await copyText(text())) ? 'copied' : 'failed')
  return (
    <Button kind={kind} className={className} aria-label={done ? undefined : described} onClick={copy}>
      <span aria-live="polite">{done ? said[done] : label}</span>
    </Button>
  )
}

// direction: Which way a text runs, by most of its letters: "Claude: …" and an Arabic sentence is an Arabic text.

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu
const letters = /\p{L}/gu
/** The beginning is enough. */
const mostRead = 400

export const directionOf = (text: string): 'ltr' | 'rtl' => {
  const start = text.slice(0, mostRead)
  const backwards = start.match(rightToLeft)?.length ?? 0
  return backwards * 2 > (start.match(letters)?.length ?? 0) ? 'rtl' : 'ltr'
}

// movedApart: Labels of a drawing, moved apart just as far as needed so that they don't overlap.

/** From top to bottom; none below `lowest` as long as there is room above. */
export const movedApart = <Label extends { readonly y: number }>(
  labels: readonly Label[],
  gap: number,
  lowest = Number.POSITIVE_INFINITY,
): Label[] => {
  const placed: Label[] = []
  for (const label of labels.toSorted((one, other) => one.y - other.y))
    placed.push({ ...label, y: Math.max(label.y, (placed.at(-1)?.y ?? Number.NEGATIVE_INFINITY) + gap) })
  let below = lowest + gap
  return placed
    .toReversed()
    .map(label => {
      below = Math.min(label.y, below - gap)
      return { ...label, y: below }
    })
    .toReversed()
}

// scrollRegion: Something wider than the page: it scrolls by itself, with the keyboard too.

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

// searchParams: The search parameters of the address, for pages whose choices can be linked to.

type Change = Readonly<Record<string, string | undefined>>

/** The parameters, and a way to change some of them: what is empty is left out. */
export const useSearchParams = (): readonly [URLSearchParams, (change: Change) => void] => {
  const { history } = useRouter()
  const { pathname, searchStr } = useLocation()
  const params = useMemo(() => new URLSearchParams(searchStr), [searchStr])
  const change = (wanted: Change): void => {
    const next = new URLSearchParams(params)
    for (const [name, value] of Object.entries(wanted)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    history.replace(next.size > 0 ? `${pathname}?${next}` : pathname)
  }
  return [params, change]
}

// section: A part of a page with a heading.

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

// title: The title of the window, for as long as a page is open.

const longest = 80

export const useTitle = (title: string | undefined): void => {
  useEffect(() => {
    if (title === undefined) return
    const short = title.length > longest ? `${title.slice(0, longest - 1)}…` : title
    document.title = `${short} · Roundtable`
    return () => {
      document.title = 'Roundtable'
    }
  }, [title])
}

// useSettled: A value once it has rested for a moment: typing sends no request for every letter.

const pause = 250

export const useSettled = <Value,>(value: Value): Value => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

// width: The width of an element in pixels: drawings are laid out in real ones, so that their type keeps its size.

/** Measures the element that has the ref, even if it is added to the page later. */
export const useWidth = (): [RefCallback<HTMLElement>, number] => {
  const [width, setWidth] = useState(0)
  const measure = useCallback((element: HTMLElement | null) => {
    if (!element) return
    setWidth(Math.floor(element.getBoundingClientRect().width))
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [measure, width]
}
