/** Has the moderator propose clearer wordings of the question: the person takes one, edits it, or keeps their own. */
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type { SharpenedReply } from '../../../api/index.ts'
import { longestQuestion } from '../../../core/question/question.ts'
import { clearWords, sharpenSpent } from '../../../core/wording/sharpen-words.ts'
import { sharpen } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field, inputClass } from '../../components/field.tsx'
import { useMutation } from '../../components/mutation.ts'
import { Problem } from '../../components/notice.tsx'
import { type AskForm, bodyOf } from './form.ts'

interface CardProps {
  readonly name: string
  readonly checked: boolean
  onChoose(): void
  readonly children: ReactNode
}

const Card = ({ name, checked, onChoose, children }: CardProps) => (
  <label className="flex cursor-pointer items-start gap-3 rounded-lg border border-line p-3 has-checked:border-accent has-focus-visible:outline-2 has-focus-visible:outline-accent">
    <input
      type="radio"
      name={name}
      className="mt-1 size-4 shrink-0 accent-accent"
      checked={checked}
      onChange={onChoose}
    />
    <span className="min-w-0 wrap-anywhere">{children}</span>
  </label>
)

interface ProposalsProps {
  readonly question: string
  readonly sharpened: SharpenedReply
  onTake(question: string): void
  onClose(): void
}

const Proposals = ({ question, sharpened, onTake, onClose }: ProposalsProps) => {
  const { unclear, wordings } = sharpened
  const name = useId()
  const [chosen, setChosen] = useState<number>()
  const [words, setWords] = useState('')
  const choose = (index: number | undefined): void => {
    setChosen(index)
    setWords(index === undefined ? '' : (wordings[index]?.wording ?? ''))
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (chosen === undefined) onClose()
    else onTake(words.trim())
  }
  return (
    <form onSubmit={submit} className="space-y-4">
      {unclear && (
        <p dir="auto" className="wrap-anywhere">
          {unclear}
        </p>
      )}
      <fieldset className="space-y-2">
        <legend className="label mb-2">Which question should be asked?</legend>
        {wordings.map(({ settles, wording }, index) => (
          <Card key={wording} name={name} checked={chosen === index} onChoose={() => choose(index)}>
            <span dir="auto" className="said block">
              {wording}
            </span>
            {settles && (
              <span dir="auto" className="mt-1 block text-sm text-soft">
                Settles: {settles}
              </span>
            )}
          </Card>
        ))}
        <Card name={name} checked={chosen === undefined} onChoose={() => choose(undefined)}>
          <span className="block text-sm text-soft">Keep mine</span>
          <span dir="auto" className="said line-clamp-3">
            {question}
          </span>
        </Card>
      </fieldset>
      {chosen !== undefined && (
        <Field label="Edit it if you like">
          {id => (
            <textarea
              id={id}
              dir="auto"
              rows={3}
              maxLength={longestQuestion}
              value={words}
              onChange={event => setWords(event.target.value)}
              className={inputClass}
            />
          )}
        </Field>
      )}
      <p className="text-sm wrap-anywhere text-soft">{sharpenSpent(sharpened)}</p>
      <p className="flex justify-end gap-2">
        <Button type="submit" kind="primary" disabled={chosen !== undefined && words.trim() === ''}>
          {chosen === undefined ? 'Keep mine' : 'Use this question'}
        </Button>
      </p>
    </form>
  )
}

const Clear = ({ sharpened, onClose }: Pick<ProposalsProps, 'sharpened' | 'onClose'>) => (
  <>
    <p>{clearWords}</p>
    <p className="mt-2 text-sm wrap-anywhere text-soft">{sharpenSpent(sharpened)}</p>
    <p className="mt-5 flex justify-end">
      <Button kind="primary" onClick={onClose}>
        Good
      </Button>
    </p>
  </>
)

interface SharpenProps {
  readonly form: AskForm
  change(change: Partial<AskForm>): void
}

export const Sharpen = ({ form, change }: SharpenProps) => {
  const { mutate, data, error, isPending, reset } = useMutation({ mutationFn: () => sharpen(bodyOf(form)) })
  const take = (question: string): void => {
    change({ question })
    reset()
  }
  return (
    <>
      <Button kind="quiet" disabled={isPending || form.question.trim() === ''} onClick={() => mutate()}>
        {isPending ? 'Sharpening…' : 'Sharpen the question'}
      </Button>
      {error && <Problem error={error} />}
      {data && (
        <Dialog title="Sharpen the question" onClose={reset}>
          {data.wordings.length === 0 ? (
            <Clear sharpened={data} onClose={reset} />
          ) : (
            <Proposals question={form.question} sharpened={data} onTake={take} onClose={reset} />
          )}
        </Dialog>
      )}
    </>
  )
}
