/** One of a few, side by side: radio buttons that look like one control. */
import { useId } from 'react'

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
