/** Templates: choose one, fill in its blanks, and the form is filled in; save the form as one; delete one's own. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { TemplateBody, TemplateReply } from '../../api/table.ts'
import { type Fill, filledIn, listBlanks } from '../../core/form.ts'
import { fetchLineups, fetchTemplates, removeTemplate, saveTemplate, useMay } from '../kit/api.ts'
import { Field, inputClass, TextField } from '../kit/fields.tsx'
import { Button, Dialog, Problem } from '../kit/frame.tsx'
import { useMutation } from '../kit/mutation.ts'
import { type AskForm, bodyOf, emptyForm, type FormProps, seatForm } from './form-data.ts'

// templateForm: A template as the form has it, and the form as a template.

type Template = TemplateReply['template']

const budgetText = (budget: Template['budget']): string => {
  const dollars = typeof budget === 'number' ? budget : budget?.usd
  return dollars === undefined ? '' : String(dollars)
}

/** Seats that the template doesn't name stay. A line-up by name has to be found first: `seatsOf` knows them. */
export const formOfTemplate = (
  template: Template,
  fill: Fill,
  seatsOf: (lineup: string) => Template['seats'],
): Partial<AskForm> => {
  const { question, format, options, unit, scale, tolerance, length, camps, kind, ...rest } = filledIn(
    template,
    fill,
  )
  const { instruction, deadline, temperature, effort } = rest
  const seats = rest.seats ?? (rest.lineup === undefined ? undefined : seatsOf(rest.lineup))
  return {
    question,
    format: format ?? (options ? 'choice' : 'open'),
    options: (options ?? []).join('\n'),
    unit: unit ?? '',
    scale: scale ?? emptyForm.scale,
    tolerance: tolerance === undefined ? '' : String(tolerance),
    words: length === undefined ? '' : String(length),
    byIntent: camps === 'intent',
    kind: kind ?? '',
    protocol: rest.protocol ?? '',
    rounds: rest.rounds,
    forkedFrom: undefined,
    after: undefined,
    ...(rest.names && { names: rest.names }),
    ...(rest.language !== undefined && { language: rest.language }),
    ...(rest.moderator !== undefined && { moderator: rest.moderator }),
    ...(rest.budget !== undefined && { budget: budgetText(rest.budget) }),
    ...(rest.patience !== undefined && { patience: String(rest.patience) }),
    search: rest.search ?? '',
    ...(seats && { seats: seats.map(seatForm) }),
    extra: {
      ...(instruction !== undefined && { instruction }),
      ...(deadline !== undefined && { deadline }),
      ...(temperature !== undefined && { temperature }),
      ...(effort !== undefined && { effort }),
      ...(rest.fetch !== undefined && { fetch: rest.fetch }),
    },
  }
}

/** Files belong to one question, and so does what it was forked from. */
export const templateOfForm = (form: AskForm, about: string): TemplateBody => {
  const { attachments: _files, excerpts: _excerpts, forkedFrom: _fork, question = '', ...body } = bodyOf(form)
  const { after: _after, carry: _carry, template: _template, fill: _fill, ...rest } = body
  return { ...rest, question, ...(about.trim() && { about: about.trim() }) } as TemplateBody
}

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
