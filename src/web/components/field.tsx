/** Inputs with their labels. */
import { type InputHTMLAttributes, type ReactNode, useId } from 'react'

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
