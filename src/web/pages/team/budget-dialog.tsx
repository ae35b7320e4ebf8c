/** Sets what a person or the team may use by day and month. An empty field is no limit. */
import { type FormEvent, useState } from 'react'
import type { TeamPayerReply } from '../../../api/index.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { useMutation } from '../../components/mutation.ts'
import { Problem } from '../../components/notice.tsx'
import { setBudget, useReadAgain } from './requests.ts'

const fields = [
  { period: 'day', unit: 'usd', label: 'Dollars a day' },
  { period: 'month', unit: 'usd', label: 'Dollars a month' },
  { period: 'day', unit: 'tokens', label: 'Tokens a day' },
  { period: 'month', unit: 'tokens', label: 'Tokens a month' },
] as const

const amountIn = (text: string): number | null => (text.trim() === '' ? null : Number(text))

interface BudgetDialogProps {
  readonly payer: TeamPayerReply
  onClose(): void
}

export const BudgetDialog = ({ payer, onClose }: BudgetDialogProps) => {
  const readAgain = useReadAgain()
  const [texts, setTexts] = useState(() =>
    fields.map(({ period, unit }) => String(payer.budget[period][unit] ?? '')),
  )
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      const [dayUsd = null, monthUsd = null, dayTokens = null, monthTokens = null] = texts.map(amountIn)
      const [day, month] = [
        { usd: dayUsd, tokens: dayTokens },
        { usd: monthUsd, tokens: monthTokens },
      ]
      await setBudget(payer.id, { day, month })
      await readAgain()
    },
    onSuccess: onClose,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    mutate()
  }
  return (
    <Dialog title={`Budget of ${payer.id === 'team' ? 'the team' : payer.name}`} onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        <p className="text-sm text-soft">
          Checked before each call. Leave a field empty for no limit. Days and months are in UTC.
        </p>
        <div className="grid gap-3 min-[400px]:grid-cols-2">
          {fields.map(({ label, unit }, index) => (
            <TextField
              key={label}
              label={label}
              type="number"
              min={0}
              max={1e12}
              step={unit === 'usd' ? 'any' : 1}
              inputMode={unit === 'usd' ? 'decimal' : 'numeric'}
              value={texts[index]}
              onChange={event => setTexts(texts.with(index, event.target.value))}
            />
          ))}
        </div>
        {error && <Problem error={error} />}
        <p className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" disabled={isPending}>
            Save
          </Button>
        </p>
      </form>
    </Dialog>
  )
}
