/** Files that are attached to the question. The server reads them as soon as they are here, and says what it can't read. */
import type { AttachmentWish } from '../../../core/question/attachment-wish.ts'
import { exhibitSize } from '../../../core/wording/exhibit-words.ts'
import { readFiles } from '../../api.ts'

/** What the page knows of an attachment: what was read, and the bytes, which go along with the question. */
export interface AttachmentForm extends AttachmentWish {
  readonly text: string
}

interface Read {
  readonly attachments: readonly AttachmentForm[]
  /** Why a file was refused. */
  readonly problems: readonly string[]
}

const dataOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '')
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })

const readOne = async (file: File): Promise<Read> => {
  try {
    const { exhibits, problems } = await readFiles([file])
    const data = exhibits.length > 0 ? await dataOf(file) : ''
    return { attachments: exhibits.map(exhibit => ({ ...exhibit, data })), problems }
  } catch (error) {
    return { attachments: [], problems: [`${file.name}: ${(error as Error).message}`] }
  }
}

/** One by one, so that the bytes of several files need not fit into one request. */
export const attachFiles = async (files: readonly File[]): Promise<Read> => {
  const read: Read[] = []
  for (const file of files) read.push(await readOne(file))
  return {
    attachments: read.flatMap(one => one.attachments),
    problems: read.flatMap(one => one.problems),
  }
}

interface AttachmentsProps {
  readonly attachments: readonly AttachmentForm[]
  onChange(attachments: readonly AttachmentForm[]): void
}

export const Attachments = ({ attachments, onChange }: AttachmentsProps) =>
  attachments.length > 0 && (
    <ul className="flex flex-wrap gap-2" aria-label="Attachments">
      {attachments.map((one, index) => (
        <li
          key={`${one.name} ${one.sha256 ?? one.text.length}`}
          className="flex max-w-full items-center rounded-lg bg-shade pl-3 text-sm"
        >
          {one.width !== undefined && one.data && (
            <img
              alt=""
              src={`data:${one.media};base64,${one.data}`}
              className="mr-2 size-8 shrink-0 rounded object-cover"
            />
          )}
          <span className="flex min-w-0 flex-wrap gap-x-2">
            <span className="truncate" title={one.name}>
              {one.name}
            </span>
            <span className="whitespace-nowrap text-soft">{exhibitSize(one)}</span>
          </span>
          <button
            type="button"
            aria-label={`Remove ${one.name}`}
            className="grid size-8 shrink-0 place-items-center text-soft hover:text-ink"
            onClick={() => onChange(attachments.filter((_, other) => other !== index))}
          >
            ✕
          </button>
        </li>
      ))}
    </ul>
  )
