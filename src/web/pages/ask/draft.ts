/** The question outlives a look at another page, or a reload: it is kept until it is asked. */
import { useEffect, useState } from 'react'
import { type AskForm, emptyForm, seatForm } from './form.ts'

const place = 'ask-draft'

/** A draft of an older version, or none, is an empty one. Files are too large to be kept. */
const stored = (): AskForm => {
  try {
    const draft = JSON.parse(sessionStorage.getItem(place) ?? '{}') as Partial<AskForm>
    return {
      ...emptyForm,
      ...draft,
      ...(draft.seats && { seats: draft.seats.map(({ key: _key, ...seat }) => seatForm(seat)) }),
    }
  } catch {
    return emptyForm
  }
}

export const forgetDraft = (): void => sessionStorage.removeItem(place)

export const useDraft = (): readonly [AskForm, (change: Partial<AskForm>) => void] => {
  const [form, setForm] = useState(stored)
  useEffect(() => {
    const { attachments: _files, ...draft } = form
    sessionStorage.setItem(place, JSON.stringify(draft))
  }, [form])
  return [form, change => setForm(before => ({ ...before, ...change }))]
}
