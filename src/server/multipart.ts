/** Forms with files, as `curl -F` and browsers send them. */
import type { HonoRequest } from 'hono'
import type { AttachedFile } from '../evidence/index.ts'
import { Refusal } from './problem.ts'

export const isMultipart = (request: Pick<HonoRequest, 'header'>): boolean =>
  request.header('content-type')?.toLowerCase().startsWith('multipart/form-data') ?? false

export interface MultipartForm {
  readonly files: readonly AttachedFile[]
  /** The field of that name, if it has one. */
  field(name: string): string | undefined
}

/** What was read for a route's schema is there at once, and no promise: so this awaits, and chains nothing. */
const formIn = async (request: HonoRequest): Promise<FormData> => {
  try {
    return await request.formData()
  } catch {
    throw new Refusal(400, 'The body is not a form that can be read (multipart/form-data).')
  }
}

export const multipartOf = async (request: HonoRequest): Promise<MultipartForm> => {
  const form = await formIn(request)
  const files: AttachedFile[] = []
  for (const [, value] of form)
    if (typeof value !== 'string')
      files.push({ name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) })
  return {
    files,
    field(name) {
      const value = form.get(name)
      return typeof value === 'string' ? value : undefined
    },
  }
}
