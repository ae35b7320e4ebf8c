/** Templates: choose one, fill in its blanks, and the form is filled in; save the form as one; delete one's own. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { TemplateReply } from '../../../api/index.ts'
import { listBlanks } from '../../../core/question/blanks.ts'
import { useMay } from '../../account.ts'
import { fetchLineups, fetchTemplates, removeTemplate, saveTemplate } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field, inputClass, TextField } from '../../components/field.tsx'
import { useMutation } from '../../components/mutation.ts'
import { Problem } from '../../components/notice.tsx'
import type { FormProps } from './question-box.tsx'
import { formOfTemplate, templateOfForm } from './template-form.ts'

const queryKey = ['templates']

const spoken = (name: string): string => name.replaceAll(/[_-]/g, ' ')

interface FillDialogProps {
  readonly chosen: TemplateReply
  onFill(fill: Record<string, string>): void
  onClose(): void
}

const FillDialog = ({ chosen, onFill, onClose }: FillDialogProps) => {
  const { name, template, blanks } = chosen
  const [fill, setFill] = useState<Record<string, string>>({})
  const lists = listBlanks(template)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onFill(fill)
  }
  return (
    <Dialog title={`Template: ${name}`} onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        {template.about && <p className="text-soft">{template.about}</p>}
        {blanks.map(blank => (
          <Field
            key={blank}
            label={spoken(blank)}
            hint={lists.includes(blank) ? 'One per line, or separated by commas.' : undefined}
          >
            {id => (
              <textarea
                id={id}
                rows={2}
                dir="auto"
                required
                value={fill[blank] ?? ''}
                onChange={event => setFill({ ...fill, [blank]: event.target.value })}
                className={inputClass}
              />
            )}
          </Field>
        ))}
        <p className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            kind="primary"
            disabled={blanks.some(blank => (fill[blank] ?? '').trim() === '')}
          >
            Fill in
          </Button>
        </p>
      </form>
    </Dialog>
  )
}

const SaveDialog = ({ form, onClose }: Pick<FormProps, 'form'> & { onClose: () => void }) => {
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [about, setAbout] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => saveTemplate(name.trim(), templateOfForm(form, about)),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey })
      onClose()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    mutate()
  }
  return (
    <Dialog title="Save as a template" onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        <p className="text-soft">
          The question is saved with its format, table, briefs and protocol. Blanks such as {'{{city}}'} in
          the question or its options are filled in each time.
        </p>
        <TextField
          label="Name"
          hint="This replaces a template that has the same name."
          required
          value={name}
          onChange={event => setName(event.target.value)}
        />
        <TextField
          label="What it is for"
          value={about}
          maxLength={300}
          onChange={event => setAbout(event.target.value)}
        />
        {error && <Problem error={error} />}
        <p className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" disabled={isPending || name.trim() === ''}>
            Save
          </Button>
        </p>
      </form>
    </Dialog>
  )
}

const Remove = ({ name, onError }: { name: string; onError: (error: Error | null) => void }) => {
  const queries = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => removeTemplate(name),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
    onSettled: (_data, error) => onError(error),
  })
  return (
    <button
      type="button"
      aria-label={`Delete the template ${name}`}
      disabled={isPending}
      onClick={() => {
        if (confirm(`Delete the template “${name}”?`)) mutate()
      }}
      className="grid size-8 place-items-center text-soft hover:text-bad"
    >
      ✕
    </button>
  )
}

export default function TemplateList({ form, change }: FormProps) {
  const { data } = useQuery({ queryKey, queryFn: fetchTemplates })
  const lineups = useQuery({ queryKey: ['lineups'], queryFn: fetchLineups }).data?.lineups
  const [chosen, setChosen] = useState<TemplateReply>()
  const [saving, setSaving] = useState(false)
  const mayChange = useMay('change-template')
  const [error, setError] = useState<Error | null>(null)
  const use = (template: TemplateReply, fill: Record<string, string>): void => {
    const seatsOf = (name: string) => lineups?.find(lineup => lineup.name === name)?.seats
    change(formOfTemplate(template.template, fill, seatsOf))
    setChosen(undefined)
  }
  return (
    <>
      <ul aria-label="Templates" className="mt-2 flex flex-wrap justify-center gap-2">
        {data?.templates.map(one => (
          <li key={one.name} className="flex items-center rounded-full border border-line">
            <button
              type="button"
              title={one.template.about}
              className="px-3.5 py-1.5 font-medium hover:text-accent"
              onClick={() => (one.blanks.length > 0 ? setChosen(one) : use(one, {}))}
            >
              {one.name}
            </button>
            {one.origin === 'saved' && mayChange && one.mayDelete !== false && (
              <Remove name={one.name} onError={setError} />
            )}
          </li>
        ))}
        {mayChange && form.question.trim() !== '' && (
          <li>
            <Button kind="quiet" onClick={() => setSaving(true)}>
              Save as a template
            </Button>
          </li>
        )}
      </ul>
      {data?.problems.map(problem => (
        <p key={problem} className="mt-2 wrap-anywhere text-bad">
          {problem}
        </p>
      ))}
      {error && <Problem error={error} />}
      {chosen && (
        <FillDialog
          key={chosen.name}
          chosen={chosen}
          onFill={fill => use(chosen, fill)}
          onClose={() => setChosen(undefined)}
        />
      )}
      {saving && <SaveDialog form={form} onClose={() => setSaving(false)} />}
    </>
  )
}
