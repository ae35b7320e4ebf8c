/** A link to a page with parameters. It stays in the app: the page opens even if the server has gone. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import {
  type AnchorHTMLAttributes,
  type InputHTMLAttributes,
  type MouseEvent,
  type ReactNode,
  type RefCallback,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useState,
} from 'react'
import type { ModelReply, ProtocolsReply } from '../../api/table.ts'
import { fetchProtocols, fetchSettings } from './api.ts'
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

// choice: One of a few, side by side: radio buttons that look like one control.

interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  onChange(value: Value): void
}

export const Choice = <Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) => {
  const name = useId()
  return (
    <fieldset className="flex flex-wrap gap-0.5 rounded-lg sm:gap-1 bg-shade p-1">
      <legend className="sr-only">{label}</legend>
      {options.map(option => (
        <label
          key={option.value}
          className="cursor-pointer rounded-md px-2 py-1 text-sm sm:px-3 font-medium text-soft has-checked:bg-surface has-checked:text-ink has-checked:shadow-sm has-checked:ring-1 has-checked:ring-line has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}

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

// copyButton: Copies a text and says so. The text is made when the button is pressed.

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

// field: Inputs with their labels.

export const inputClass =
  'w-full rounded-lg border border-edge bg-surface px-3 py-2 text-base text-ink placeholder:text-soft'

interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly children: (id: string) => ReactNode
}

/** A label, the control that `children` draws under the given id, and a hint. */
export const Field = ({ label, hint, children }: FieldProps) => {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="label mb-1 block">
        {label}
      </label>
      {children(id)}
      {hint && <p className="mt-1 text-sm text-soft">{hint}</p>}
    </div>
  )
}

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string
  readonly hint?: ReactNode
}

export const TextField = ({ label, hint, ...rest }: TextFieldProps) => (
  <Field label={label} hint={hint}>
    {id => <input id={id} className={inputClass} {...rest} />}
  </Field>
)

interface SelectFieldProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly value: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly disabled?: boolean
  onChange(value: string): void
}

/** A value that isn't among the options is offered too: it must not change by being shown. */
export const SelectField = ({ label, hint, value, options, disabled, onChange }: SelectFieldProps) => {
  const known = options.some(option => option.value === value)
  return (
    <Field label={label} hint={hint}>
      {id => (
        <select
          id={id}
          value={value}
          disabled={disabled}
          onChange={event => onChange(event.target.value)}
          className={inputClass}
        >
          {(known ? options : [...options, { value, label: value }]).map(option => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
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

// needs: What a model needs before it can be seated, in the words of the settings page.

/** Providers by the variable that holds their key. */
export type KeyNames = ReadonlyMap<string, string>

export const useKeyNames = (): KeyNames => {
  const { data } = useQuery({ queryKey: ['settings'], queryFn: fetchSettings })
  return useMemo(
    () =>
      new Map(
        (data?.providers ?? []).flatMap(({ variables, label }) =>
          variables.map(variable => [variable, label] as const),
        ),
      ),
    [data],
  )
}

const either = new Intl.ListFormat('en', { type: 'disjunction' })

/** "needs a key for Anthropic or OpenRouter" */
export const needOf = ({ missing, house, agent }: ModelReply, keyNames: KeyNames): string => {
  if (missing.length === 0) return 'no provider serves it'
  const names = [...new Set(missing.map(variable => keyNames.get(variable) ?? variable))]
  return house || agent ? `needs ${either.format(names)}` : `needs a key for ${either.format(names)}`
}

// protocols: The protocols that the server knows.

export const useProtocols = (): ProtocolsReply['protocols'] =>
  useQuery({ queryKey: ['protocols'], queryFn: fetchProtocols }).data?.protocols ?? []

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

// saving: Saves something on the settings page: says if it failed, and shows what is configured afterwards.

interface Saving {
  readonly error: Error | null
  readonly pending: boolean
  run(save: () => Promise<unknown>): Promise<boolean>
}

/** No mutation of the query client: it would keep the key that was sent in its memory. */
export const useSaving = (): Saving => {
  const queries = useQueryClient()
  const [error, setError] = useState<Error | null>(null)
  const [pending, setPending] = useState(false)
  const run = async (save: () => Promise<unknown>): Promise<boolean> => {
    setPending(true)
    setError(null)
    try {
      await save()
      await Promise.all(
        ['settings', 'lineups', 'models', 'estimate'].map(name =>
          queries.invalidateQueries({ queryKey: [name] }),
        ),
      )
      return true
    } catch (problem) {
      setError(problem instanceof Error ? problem : new Error(String(problem)))
      return false
    } finally {
      setPending(false)
    }
  }
  return { error, pending, run }
}
