/** The part of an answer that is counted: an option, an order, a number, or a text. */
import { Button } from '../../components/button.tsx'
import { Field, inputClass, TextField } from '../../components/field.tsx'
import type { SeatAnswer, SeatQuestion } from './form.ts'

export interface AnswerProps {
  readonly form: SeatAnswer
  readonly asked: SeatQuestion
  change(part: Partial<SeatAnswer>): void
}

const Options = ({ form, asked, change }: AnswerProps) => (
  <fieldset>
    <legend className="label mb-2">Your choice</legend>
    <div className="space-y-2">
      {asked.options.map(option => (
        <label
          key={option}
          className="flex cursor-pointer items-start gap-3 rounded-lg border border-line bg-surface px-3 py-2 has-checked:border-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="choice"
            className="mt-1 accent-(--accent)"
            checked={form.choice === option}
            onChange={() => change({ choice: option })}
          />
          <span dir="auto" className="min-w-0 wrap-anywhere">
            {option}
          </span>
        </label>
      ))}
    </div>
  </fieldset>
)

const moved = (list: readonly string[], from: number, to: number): string[] => {
  const copy = [...list]
  const [item] = copy.splice(from, 1)
  copy.splice(to, 0, item!)
  return copy
}

const Order = ({ form, change }: AnswerProps) => (
  <fieldset>
    <legend className="label mb-2">Your order, the first one on top</legend>
    <ol className="space-y-2">
      {form.ranking.map((option, index) => (
        <li key={option} className="flex items-center gap-2 rounded-lg border border-line px-3 py-1.5">
          <span className="tabular-nums text-soft">{index + 1}.</span>
          <span dir="auto" className="min-w-0 grow wrap-anywhere">
            {option}
          </span>
          <Button
            kind="quiet"
            aria-label={`Move ${option} up`}
            disabled={index === 0}
            onClick={() => change({ ranking: moved(form.ranking, index, index - 1) })}
          >
            ↑
          </Button>
          <Button
            kind="quiet"
            aria-label={`Move ${option} down`}
            disabled={index === form.ranking.length - 1}
            onClick={() => change({ ranking: moved(form.ranking, index, index + 1) })}
          >
            ↓
          </Button>
        </li>
      ))}
    </ol>
  </fieldset>
)

const Numbers = ({ form, asked, change }: AnswerProps) => {
  const field = (name: 'number' | 'low' | 'high', label: string) => (
    <TextField
      label={label}
      inputMode="decimal"
      value={form[name]}
      onChange={event => change({ [name]: event.target.value })}
    />
  )
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      {field('number', asked.unit ? `Your number, in ${asked.unit}` : 'Your number')}
      {field('low', 'At least (if you can say)')}
      {field('high', 'At most (if you can say)')}
    </div>
  )
}

const Text = ({ form, change }: AnswerProps) => (
  <Field label="Your text">
    {id => (
      <textarea
        id={id}
        rows={10}
        dir="auto"
        className={inputClass}
        value={form.text}
        onChange={event => change({ text: event.target.value })}
      />
    )}
  </Field>
)

export const ValueField = (props: AnswerProps) => {
  const { format } = props.asked
  switch (format) {
    case 'open':
      return null
    case 'choice':
      return <Options {...props} />
    case 'ranking':
      return <Order {...props} />
    case 'number':
      return <Numbers {...props} />
    case 'text':
      return <Text {...props} />
    default:
      return format satisfies never
  }
}
