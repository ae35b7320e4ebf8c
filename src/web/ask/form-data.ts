/** The form as data: the request that is made from it, the form of a session to ask again, and the draft in this browser. */

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useState } from 'react'
import type { AskBody } from '../../api/sessions.ts'
import type { EstimateReply, LineupsReply } from '../../api/table.ts'
import type { SeatInput } from '../../core/ask.ts'
import { type Kind, kindsFor } from '../../core/form.ts'
import { toleranceFrom } from '../../core/number.ts'
import { type AttachmentWish, type Format, isLength, textWords } from '../../core/question.ts'
import type { Session } from '../../core/session.ts'
import { estimate } from '../kit/api.ts'
import { useSettled } from '../kit/controls.tsx'
import type { AttachmentForm } from './details.tsx'

export type SeatWish = Exclude<SeatInput, string>

export interface SeatForm extends SeatWish {
  /** Tells two seats of the same model apart. */
  readonly key: string
}

export interface AskForm {
  readonly question: string
  readonly format: Format
  /** One per line. */
  readonly options: string
  readonly unit: string
  readonly scale: 'linear' | 'log'
  /** As written: "5" or "10%". Empty: it follows from the scale. */
  readonly tolerance: string
  /** The length of a text, as written. Empty: about 400. */
  readonly words: string
  /** Texts are grouped by what they want. */
  readonly byIntent: boolean
  /** Empty: the moderator decides. */
  readonly kind: Kind | ''
  readonly attachments: readonly AttachmentForm[]
  /** If they don't fit a model, all seats get passages of them. */
  readonly excerpts?: boolean
  /** A file is being read by the server. */
  readonly reading?: boolean
  /** Undefined until the default table is known. */
  readonly seats?: readonly SeatForm[]
  /** Names of people who get a seat beside the models. */
  readonly people: readonly string[]
  /** Seconds for a person's answer, as written; empty: an hour. */
  readonly personDeadline: string
  /** Empty: the default one. */
  readonly protocol: string
  /** Undefined: the protocol's default. */
  readonly rounds?: number
  readonly names: 'hidden' | 'shown'
  /** Empty: the language of the question. */
  readonly language: string
  /** Undefined: chosen by the server. Null: code writes the report. */
  readonly moderator?: string | null
  /** Dollars, as written. */
  readonly budget: string
  /** How many times as long as the others a seat may take; empty: the table waits for every seat. */
  readonly patience: string
  /** How the web is searched; empty: as it is configured. */
  readonly search: '' | 'off' | 'shared' | 'native'
  /** The session that this is a fork of, from its start. */
  readonly forkedFrom?: string
  /** The session that the forked one asked on after, and what its seats were told. */
  readonly after?: Pick<AskBody, 'carry'> & { readonly session: string }
  /** What a template says that has no field of its own here. */
  readonly extra?: Extra
  /** What the chosen line-up set besides its seats. Tells it apart from what the person changed since. */
  readonly brought?: Brought
}

export type Extra = Pick<AskBody, 'instruction' | 'deadline' | 'temperature' | 'effort' | 'fetch'>

/** What a line-up may set besides the seats. */
type Brought = Pick<AskForm, 'moderator' | 'rounds' | 'protocol'>

export interface FormProps {
  readonly form: AskForm
  change(change: Partial<AskForm>): void
}

export const emptyForm: AskForm = {
  question: '',
  format: 'open',
  options: '',
  unit: '',
  scale: 'linear',
  tolerance: '',
  words: '',
  byIntent: false,
  kind: '',
  attachments: [],
  people: [],
  personDeadline: '',
  protocol: '',
  names: 'hidden',
  language: '',
  budget: '',
  patience: '',
  search: '',
}

let seated = 0

export const seatForm = (input: SeatInput): SeatForm => ({
  ...(typeof input === 'string' ? { model: input } : input),
  key: `seat ${seated++}`,
})

export const seatInput = ({ key: _key, brief, ...wish }: SeatForm): SeatWish => ({
  ...wish,
  ...(brief?.trim() && { brief: brief.trim() }),
})

/** A line-up replaces what the last line-up set, but never what the person chose. */
export const seatedBy = (
  { seats, moderator, rounds, protocol = '' }: LineupsReply['usual'],
  form: AskForm,
): Partial<AskForm> => {
  const brought: Brought = { moderator, rounds, protocol }
  const before: Brought = { protocol: '', ...form.brought }
  const kept = <Field extends keyof Brought>(field: Field): Brought[Field] =>
    form[field] === before[field] ? brought[field] : form[field]
  return {
    seats: seats.map(seatForm),
    moderator: kept('moderator'),
    rounds: kept('rounds'),
    protocol: kept('protocol'),
    brought,
  }
}

export const linesOf = (text: string): string[] =>
  text.split('\n').flatMap(line => (line.trim() === '' ? [] : [line.trim()]))

export const hasOptions = (format: Format): boolean => format === 'choice' || format === 'ranking'

const budgetOf = (text: string): number | undefined => {
  const dollars = Number(text.replace(/[$\s]/g, '').replace(',', '.'))
  return text.trim() !== '' && dollars > 0 ? dollars : undefined
}

/** The server reads a file again from its bytes: what was read before need not go along. */
const attachmentWish = (one: AttachmentForm): AttachmentWish =>
  one.data === undefined ? one : { name: one.name, data: one.data }

/** For an estimate, what was read is enough: the bytes stay here. */
export const withoutBytes = (form: AskForm): AskForm => ({
  ...form,
  attachments: form.attachments.map(({ data: _data, session: _session, ...read }) => read),
})

/** Fields that are left empty are left out: the server knows the defaults. */
export const bodyOf = (form: AskForm): AskBody => {
  const { format, unit, scale, attachments, seats = [], protocol, rounds, names, moderator } = form
  const budget = budgetOf(form.budget)
  return {
    question: form.question,
    format,
    names,
    ...(hasOptions(format) && { options: linesOf(form.options) }),
    ...(format === 'number' && { scale, ...(unit.trim() && { unit: unit.trim() }) }),
    ...(format === 'number' && form.tolerance.trim() && { tolerance: toleranceFrom(form.tolerance) }),
    ...(format === 'text' && form.words.trim() && { length: Number(form.words) }),
    ...(format === 'text' && form.byIntent && { camps: 'intent' as const }),
    ...(form.kind && kindsFor(format).includes(form.kind) && { kind: form.kind }),
    ...(attachments.length > 0 && { attachments: attachments.map(attachmentWish) }),
    ...(attachments.length > 0 && form.excerpts && { excerpts: true }),
    ...(seats.length > 0 && { seats: seats.map(seatInput) }),
    ...(form.people.length > 0 && { people: form.people }),
    ...(form.people.length > 0 && form.personDeadline && { personDeadline: Number(form.personDeadline) }),
    ...(protocol && { protocol }),
    ...(rounds !== undefined && { rounds }),
    ...(form.language && { language: form.language }),
    ...(moderator !== undefined && { moderator }),
    ...(budget !== undefined && { budget }),
    ...(form.patience !== '' && { patience: Number(form.patience) }),
    ...(form.search !== '' && { search: form.search }),
    ...(form.forkedFrom !== undefined && { forkedFrom: form.forkedFrom }),
    ...(form.after && { after: form.after.session, carry: form.after.carry }),
    ...form.extra,
  }
}

/** Why the question can't be asked yet; undefined if it can. */
export const obstacleOf = (form: AskForm): string | undefined => {
  if (form.question.trim() === '') return 'Write a question first.'
  if (form.reading) return 'Wait until the attached file is read.'
  if (form.seats?.length === 0) return 'Add at least one seat.'
  if (hasOptions(form.format) && linesOf(form.options).length < 2) return 'Give at least two options.'
  if (form.format === 'number' && form.tolerance.trim() !== '' && toleranceFrom(form.tolerance) === undefined)
    return 'Write the tolerance as an amount such as 5, or a percentage such as 10%, without marks between thousands.'
  if (form.format === 'text' && form.words.trim() !== '' && !isLength(Number(form.words)))
    return `Write the length as a number of words, ${textWords.least} to ${textWords.most}.`
  if (form.budget.trim() !== '' && budgetOf(form.budget) === undefined)
    return 'Write the budget in dollars, such as 0.50.'
  return undefined
}

/** Whether the table is that of a line-up: the same seats in the same order. */
export const sameTable = (seats: readonly SeatForm[], others: readonly SeatInput[]): boolean => {
  const plain = (list: readonly SeatInput[]): string =>
    JSON.stringify(
      list.map(seat => {
        const { model, name, brief } = typeof seat === 'string' ? { model: seat } : seat
        return [model, name, brief]
      }),
    )
  return plain(seats.map(seatInput)) === plain(others)
}

/** The form filled in from a session: the same question, for another table. An imported session's protocol and moderator were somebody else's. */
export const formFrom = (session: Session): AskForm => {
  const {
    text,
    format,
    options = [],
    unit = '',
    scale,
    tolerance,
    length,
    camps,
    attachments,
  } = session.question
  return {
    ...emptyForm,
    question: text,
    format,
    options: options.join('\n'),
    unit,
    ...(scale && { scale }),
    tolerance: tolerance === undefined ? '' : String(tolerance),
    words: length === undefined ? '' : String(length),
    byIntent: camps === 'intent',
    kind: session.kind ?? '',
    search: session.search ?? '',
    attachments: attachments.map(one => (one.sha256 ? { ...one, session: session.id } : one)),
    ...(session.excerpts && { excerpts: true }),
    seats: session.seats
      .filter(({ outside }) => !outside)
      .map(({ model, name, brief, temperature, effort }) =>
        seatForm({
          ...{ model, name },
          ...(brief !== undefined && { brief }),
          ...(temperature !== undefined && { temperature }),
          ...(effort && { effort }),
        }),
      ),
    people: session.seats.filter(({ person }) => person).map(({ name }) => name),
    ...(!session.imported && {
      protocol: session.protocol,
      rounds: session.rounds,
      names: session.names,
      moderator: session.moderator,
    }),
    budget: session.budget?.usd === undefined ? '' : String(session.budget.usd),
  }
}

// The question is kept until it is asked, and the table for the next question.

const draftKey = 'ask-draft'
const tableKey = 'last-table'

/** Browsers keep about five million characters. */
const mostAttached = 2_000_000

/** What stays from one question to the next. */
type LastTable = Pick<AskForm, 'seats' | 'protocol' | 'rounds' | 'names' | 'moderator' | 'brought'>

const tableOf = ({ seats, protocol, rounds, names, moderator, brought }: AskForm): LastTable => ({
  ...{ seats, protocol, rounds, names, moderator, brought },
})

/** A draft that can't be read counts as none. */
const read = (storage: Storage, key: string): Partial<AskForm> | undefined => {
  try {
    const stored = storage.getItem(key)
    const draft = stored === null ? undefined : (JSON.parse(stored) as Partial<AskForm>)
    if (!draft?.seats) return draft
    return { ...draft, seats: draft.seats.map(({ key: _seat, ...seat }) => seatForm(seat)) }
  } catch {
    return undefined
  }
}

/** The storage may be full or turned off: then the page works without a memory. */
const write = (storage: Storage, key: string, value: object): void => {
  try {
    storage.setItem(key, JSON.stringify(value))
  } catch {
    storage.removeItem(key)
  }
}

/** Whether the files of a question are kept with it; larger ones must be attached again after a reload. */
export const keepsFiles = ({ attachments }: AskForm): boolean =>
  attachments.reduce((sum, { text, data }) => sum + text.length + (data?.length ?? 0), 0) <= mostAttached

/** A file that is being read is not here yet, and isn't waited for after a reload. */
const kept = ({ reading: _reading, ...form }: AskForm): AskForm =>
  keepsFiles(form) ? form : { ...form, attachments: [] }

/** For another page that fills in the form: the ask page opens with it. */
export const keepDraft = (form: AskForm): void => write(sessionStorage, draftKey, kept(form))

/** This window's draft comes first: a question may be open in two. */
const stored = (): AskForm => ({
  ...emptyForm,
  ...read(localStorage, tableKey),
  ...(read(sessionStorage, draftKey) ?? read(localStorage, draftKey)),
})

/** Once the question is asked, its table is there for the next one. */
export const rememberTable = (form: AskForm): void => {
  for (const storage of [sessionStorage, localStorage]) storage.removeItem(draftKey)
  write(localStorage, tableKey, tableOf(form))
}

export const useDraft = (): readonly [AskForm, (change: Partial<AskForm>) => void] => {
  const [form, setForm] = useState(stored)
  useLayoutEffect(() => {
    for (const storage of [sessionStorage, localStorage]) write(storage, draftKey, kept(form))
  }, [form])
  return [form, change => setForm(before => ({ ...before, ...change }))]
}

// The estimate of the form as it is now. Several parts of the page show something of it; it is asked for once.

/** Before a question is written, the estimate is that of a short one. */
const asked = (form: AskForm): AskForm => ({ ...form, question: form.question.trim() || '…' })

interface Estimated {
  readonly data: EstimateReply | undefined
  readonly error: Error | null
  /** The server would refuse a form that isn't filled in yet, and nobody made a mistake. */
  readonly whole: boolean
}

export const useEstimate = (form: AskForm): Estimated => {
  const settled = useSettled(form)
  const body = bodyOf(withoutBytes(asked(settled)))
  const whole = obstacleOf(asked(settled)) === undefined
  const { data, error } = useQuery({
    queryKey: ['estimate', body],
    queryFn: () => estimate(body),
    enabled: whole && (body.seats?.length ?? 0) > 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return { data, error, whole }
}
