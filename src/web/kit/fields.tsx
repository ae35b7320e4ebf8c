/** Fields of forms: choices, texts, lists, and what settings and seats need. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type InputHTMLAttributes, type ReactNode, useId, useMemo, useState } from 'react'
import type { ModelReply, ProtocolsReply } from '../../api/table.ts'
import { fetchProtocols, fetchSettings } from './api.ts'

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
