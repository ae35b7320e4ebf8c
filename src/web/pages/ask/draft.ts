/** Keeps the question until it is asked, even if the person opens another page or reloads this one. */
import { useEffect, useState } from 'react'
import { type AskForm, emptyForm, seatForm } from './form.ts'

const key = 'ask-draft'

/** Without a draft, or with one that can't be read, the form is empty. Files are too large to be kept. */
const stored = (): AskForm => {
  try {
    const draft = JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<AskForm>
    return {
      ...emptyForm,
      ...draft,
      ...(draft.seats && { seats: draft.seats.map(({ key: _seat, ...seat }) => seatForm(seat)) }),
    }
  } catch {
    return emptyForm
  }
}

export const forgetDraft = (): void => sessionStorage.removeItem(key)

export const useDraft = (): readonly [AskForm, (change: Partial<AskForm>) => void] => {
  const [form, setForm] = useState(stored)
  useEffect(() => {
    const { attachments: _files, ...draft } = form
    sessionStorage.setItem(key, JSON.stringify(draft))
  }, [form])
  return [form, change => setForm(before => ({ ...before, ...change }))]
}
