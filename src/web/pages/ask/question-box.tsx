/** The box for the question, in the middle of the table. */
import { type ClipboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { type Format, formats, longestQuestion } from '../../../core/question/question.ts'
import { Choice } from '../../components/choice.tsx'
import { DropZone } from '../../components/drop-zone.tsx'
import { FileButton } from '../../components/file-button.tsx'
import { Attachments, attachFiles } from './attachments.tsx'
import { keepsFiles } from './draft.ts'
import type { AskForm } from './form.ts'
import { FormatFields } from './format-fields.tsx'
import { Sharpen } from './sharpen.tsx'
import { Unseen } from './unseen.tsx'

const formatWords: Record<Format, string> = {
  open: 'Open',
  choice: 'Choice',
  ranking: 'Ranking',
  number: 'Number',
  text: 'Text',
}

export interface FormProps {
  readonly form: AskForm
  change(change: Partial<AskForm>): void
}

interface QuestionBoxProps extends FormProps {
  readonly focused: boolean
}

export const QuestionBox = ({ form, change, focused }: QuestionBoxProps) => {
  const [problems, setProblems] = useState<readonly string[]>([])
  /** Reading takes a moment, and the form may change meanwhile. */
  const latest = useRef(form)
  useLayoutEffect(() => {
    latest.current = form
  }, [form])
  const attach = async (files: readonly File[]): Promise<void> => {
    change({ reading: true })
    const read = await attachFiles(files)
    setProblems(read.problems)
    change({ attachments: [...latest.current.attachments, ...read.attachments], reading: false })
  }
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    const files = [...event.clipboardData.files]
    // Office puts a picture of the text beside the text: then the text is meant.
    if (files.length === 0 || event.clipboardData.getData('text/plain') !== '') return
    event.preventDefault()
    void attach(files)
  }
  const lines = form.question.split('\n').length + Math.floor(form.question.length / 70)
  return (
    <DropZone
      hint="Drop to attach"
      onFiles={attach}
      className="card rounded-[2rem] border-2 px-4 py-8 shadow-sm focus-within:border-edge sm:rounded-[2.5rem] sm:px-8 sm:py-9"
    >
      <label htmlFor="question" className="sr-only">
        Your question
      </label>
      <textarea
        id="question"
        // biome-ignore lint/a11y/noAutofocus: the page is for asking, and this is where the question goes
        autoFocus={focused}
        dir="auto"
        rows={Math.min(14, Math.max(3, lines + 1))}
        maxLength={longestQuestion}
        value={form.question}
        onChange={event => change({ question: event.target.value })}
        onPaste={paste}
        placeholder="What do you want to know?"
        className="said field-sizing-content max-h-[60dvh] min-h-[3lh] w-full resize-y bg-transparent text-xl leading-snug outline-none placeholder:text-soft sm:text-[1.75rem]"
      />
      <div className="space-y-3">
        <FormatFields form={form} change={change} />
        <Attachments attachments={form.attachments} onChange={attachments => change({ attachments })} />
        <Unseen form={form} />
        {form.reading && (
          <p role="status" className="text-sm text-soft">
            Reading…
          </p>
        )}
        {!keepsFiles(form) && (
          <p className="text-sm text-soft">
            These files are large: attach them again if you reload the page.
          </p>
        )}
        {problems.map(problem => (
          <p key={problem} role="alert" className="text-sm text-bad">
            {problem}
          </p>
        ))}
        <div>
          <p aria-hidden="true" className="label mb-1">
            Format of the answer
          </p>
          <div className="flex flex-wrap items-center gap-2">
            <Choice
              label="Format of the answer"
              value={form.format}
              options={formats.map(value => ({ value, label: formatWords[value] }))}
              onChange={format => change({ format })}
            />
            <FileButton label="Attach" kind="quiet" onFiles={attach} />
            <Sharpen form={form} change={change} />
          </div>
        </div>
      </div>
    </DropZone>
  )
}
