/** What else a format asks for: options, a unit, a length. */
import { textWords } from '../../../core/question/question.ts'
import { Choice } from '../../components/choice.tsx'
import { Field, inputClass, TextField } from '../../components/field.tsx'
import type { AskForm } from './form.ts'

interface FormatProps {
  readonly form: AskForm
  change(change: Partial<AskForm>): void
}

const OptionFields = ({ form, change }: FormatProps) => (
  <Field label={form.format === 'choice' ? 'Options, one per line' : 'Options to rank, one per line'}>
    {id => (
      <textarea
        id={id}
        rows={Math.max(3, form.options.split('\n').length)}
        value={form.options}
        placeholder={'Yes\nNo'}
        onChange={event => change({ options: event.target.value })}
        className={inputClass}
      />
    )}
  </Field>
)

const NumberFields = ({ form, change }: FormatProps) => (
  <div className="flex flex-wrap items-end gap-3">
    <div className="w-48">
      <TextField
        label="Unit"
        value={form.unit}
        placeholder="dollars, years, °C"
        onChange={event => change({ unit: event.target.value })}
      />
    </div>
    <div className="w-48">
      <TextField
        label="Tolerance"
        value={form.tolerance}
        placeholder="5 or 10%"
        title="Numbers this close count as the same."
        onChange={event => change({ tolerance: event.target.value })}
      />
    </div>
    <Choice
      label="Scale"
      value={form.scale}
      options={[
        { value: 'linear', label: 'Linear scale' },
        { value: 'log', label: 'Logarithmic scale' },
      ]}
      onChange={scale => change({ scale })}
    />
  </div>
)

const TextFields = ({ form, change }: FormatProps) => (
  <div className="flex flex-wrap items-end gap-3">
    <div className="w-48">
      <TextField
        label="Length in words"
        inputMode="numeric"
        value={form.words}
        placeholder={`about ${textWords.usual}`}
        onChange={event => change({ words: event.target.value })}
      />
    </div>
    <label className="flex items-center gap-2 py-2">
      <input
        type="checkbox"
        checked={form.byIntent}
        onChange={event => change({ byIntent: event.target.checked })}
      />
      Group the texts by what they want
    </label>
  </div>
)

export const FormatFields = ({ form, change }: FormatProps) => {
  switch (form.format) {
    case 'open':
      return null
    case 'choice':
    case 'ranking':
      return <OptionFields form={form} change={change} />
    case 'number':
      return <NumberFields form={form} change={change} />
    case 'text':
      return <TextFields form={form} change={change} />
    default:
      return form.format satisfies never
  }
}
