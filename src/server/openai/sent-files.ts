/** Pictures and files in the messages of a chat: each becomes an exhibit. */
import type { SentMessage, SentPart } from '../../api/index.ts'
import type { AttachmentWish } from '../../core/question/attachment-wish.ts'
import { wrongField } from './errors.ts'

/** A file as clients write it: "data:image/png;base64,…". */
const dataAddress = /^data:([a-z]+\/[a-z0-9.+-]{1,100})?(?:;[a-z]+=[^;,]{1,100})?;base64,/i

interface Sent {
  readonly address: string | undefined
  readonly name?: string | undefined
}

/** Undefined if the part is a text. */
const sentIn = (part: SentPart): Sent | undefined => {
  if (part.type === 'image_url' || part.type === 'input_image') {
    const { image_url: image } = part
    return { address: typeof image === 'string' ? image : image?.url }
  }
  if (part.type === 'file') return { address: part.file?.file_data, name: part.file?.filename }
  if (part.type === 'input_file') return { address: part.file_data, name: part.filename }
  return undefined
}

const wishFor = ({ address, name }: Sent, number: number, field: string): AttachmentWish => {
  const head = dataAddress.exec(address ?? '')
  if (!head || address === undefined)
    throw wrongField(
      field,
      'Send pictures and files inside the request, as "data:…;base64,…". Nothing is fetched from other addresses.',
    )
  const [, kind = ''] = head[1]?.split('/') ?? []
  return { name: name ?? `picture ${number}.${kind}`, data: address.slice(head[0].length) }
}

/** In the order in which they were sent: those of earlier messages too, because the question may be about them. */
export const filesIn = (messages: readonly SentMessage[], field: string): AttachmentWish[] =>
  messages
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .flatMap(part => sentIn(part) ?? [])
    .map((sent, index) => wishFor(sent, index + 1, field))
