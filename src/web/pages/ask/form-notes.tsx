/** What the form holds without a field of its own: that it is a fork, and what a template asks of the seats. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usualCarry } from '../../../core/log/links.ts'
import { carryTitles } from '../../../core/wording/thread-words.ts'
import type { FormProps } from './question-box.tsx'

const Note = ({
  label,
  onRemove,
  children,
}: {
  label: string
  onRemove: () => void
  children: ReactNode
}) => (
  <p className="flex items-start justify-center gap-2 text-sm text-soft">
    <span className="min-w-0 wrap-anywhere">{children}</span>
    <button type="button" aria-label={label} className="shrink-0 px-1 hover:text-bad" onClick={onRemove}>
      ✕
    </button>
  </p>
)

export const FormNotes = ({ form: { forkedFrom, after, extra }, change }: FormProps) => {
  const { instruction } = extra ?? {}
  return (
    <>
      {forkedFrom !== undefined && (
        <Note
          label="Don’t link this question to the other session"
          onRemove={() => change({ forkedFrom: undefined })}
        >
          This will be a fork of{' '}
          <Link to="/s/$id" params={{ id: forkedFrom }} className="font-medium text-accent hover:underline">
            session {forkedFrom}
          </Link>
          , from the start.
        </Note>
      )}
      {after && (
        <Note label="Don’t ask on after that session" onRemove={() => change({ after: undefined })}>
          A follow-up, too: the seats are told {carryTitles[after.carry ?? usualCarry]} of{' '}
          <Link
            to="/s/$id"
            params={{ id: after.session }}
            className="font-medium text-accent hover:underline"
          >
            the session before
          </Link>
          .
        </Note>
      )}
      {instruction !== undefined && (
        <Note
          label="Remove the instruction"
          onRemove={() => change({ extra: { ...extra, instruction: undefined } })}
        >
          Instruction to the seats: {instruction}
        </Note>
      )}
    </>
  )
}
