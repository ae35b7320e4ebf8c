/** Text that only this server can read: AES-256-GCM, bound to what it is for. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { z } from 'zod'

export const sealedSchema = z.object({ iv: z.string(), tag: z.string(), data: z.string() })
export type SealedText = z.infer<typeof sealedSchema>

const cipher = 'aes-256-gcm'

/** `purpose`: whose it is and what for. A sealed text that is copied to another place doesn't open there. */
export const seal = (secret: Buffer, purpose: string, text: string): SealedText => {
  const iv = randomBytes(12)
  const sealing = createCipheriv(cipher, secret, iv).setAAD(Buffer.from(purpose))
  const data = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()])
  return {
    iv: iv.toString('base64'),
    tag: sealing.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  }
}

/** Undefined if it was sealed with another key, for another purpose, or was changed. */
export const unseal = (
  secret: Buffer,
  purpose: string,
  { iv, tag, data }: SealedText,
): string | undefined => {
  try {
    const opening = createDecipheriv(cipher, secret, Buffer.from(iv, 'base64'), { authTagLength: 16 })
      .setAAD(Buffer.from(purpose))
      .setAuthTag(Buffer.from(tag, 'base64'))
    return Buffer.concat([opening.update(Buffer.from(data, 'base64')), opening.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
