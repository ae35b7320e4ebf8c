/** A template as the form has it, and the form as a template. */
import type { TemplateBody, TemplateReply } from '../../../api/index.ts'
import { type Fill, filledIn } from '../../../core/question/blanks.ts'
import { type AskForm, bodyOf, emptyForm, seatForm } from './form.ts'

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
