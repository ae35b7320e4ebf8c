/** Files that are attached to the question, as text. */
import type { Attachment } from '../../../core/question/question.ts'
import { longestAttachment } from '../../../core/question/question.ts'
import { wholeNumber } from '../../../core/wording/numbers.ts'

interface Read {
  readonly attachments: readonly Attachment[]
  /** Why a file was refused. */
  readonly problems: readonly string[]
}

/** Every model reads text. Any other file would be sent as noise, and would cost money. */
const problemWith = (name: string, text: string): string | undefined => {
  if (text.includes('\0')) return `${name} isn’t a text file. Attach its content as plain text.`
  if (text.length > longestAttachment)
    return `${name} is longer than ${wholeNumber(longestAttachment)} characters. Attach a part of it.`
  return text.trim() === '' ? `${name} is empty.` : undefined
}

export const readFiles = async (files: readonly File[]): Promise<Read> => {
  const read = await Promise.all(files.map(async file => ({ name: file.name, text: await file.text() })))
  const problems = read.map(({ name, text }) => problemWith(name, text))
  return {
    attachments: read.filter((_, index) => problems[index] === undefined),
    problems: problems.filter(problem => problem !== undefined),
  }
}

interface AttachmentsProps {
  readonly attachments: readonly Attachment[]
  onChange(attachments: readonly Attachment[]): void
}

export const Attachments = ({ attachments, onChange }: AttachmentsProps) =>
  attachments.length > 0 && (
    <ul className="flex flex-wrap gap-2" aria-label="Attachments">
      {attachments.map((one, index) => (
        <li
          key={`${one.name} ${one.text.length}`}
          className="flex max-w-full items-center rounded-lg bg-shade pl-3 text-sm"
        >
          <span className="truncate">{one.name}</span>
          <span className="ml-2 whitespace-nowrap text-soft">{wholeNumber(one.text.length)} characters</span>
          <button
            type="button"
            aria-label={`Remove ${one.name}`}
            className="grid size-8 place-items-center text-soft hover:text-ink"
            onClick={() => onChange(attachments.filter((_, other) => other !== index))}
          >
            ✕
          </button>
        </li>
      ))}
    </ul>
  )
