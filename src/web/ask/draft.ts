/** Keeps the question until it is asked, and the table for the next question, in this browser. */

import { useLayoutEffect, useState } from 'react'
import type { Session } from '../../core/session.ts'
import { type AskForm, emptyForm, seatForm } from './form.tsx'

// again: The form filled in from a session: the same question, for another table.

/** An imported session's protocol and moderator were somebody else's. */
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
