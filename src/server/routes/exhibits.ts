/** Reads files before a question is asked, and hands out the files of a session. */
import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { type ExhibitsBody, type ExhibitsReply, exhibitsBodySchema, exhibitsSchema } from '../../api/index.ts'
import { UsageError } from '../../core/errors.ts'
import { sha256Schema } from '../../core/question/question.ts'
import { type AttachedFile, exhibitFrom } from '../../evidence/index.ts'
import { fileHeaders } from '../file-headers.ts'
import { isMultipart, multipartOf } from '../multipart.ts'
import { Refusal } from '../problem.ts'
import { problems, replies, router, sessionParams } from '../router.ts'
import type { Service } from '../service.ts'

const tags = ['Exhibits']

const read = createRoute({
  method: 'post',
  path: '/api/exhibits',
  tags,
  summary: 'Read files, without asking anything',
  description:
    'Says what the seats would read of each file, or why it can’t be attached. The files may also come as a form (`multipart/form-data`). Nothing is kept: send them with the question.',
  request: {
    body: {
      // If it were required, a form would also have to be JSON.
      required: false,
      content: {
        'application/json': { schema: exhibitsBodySchema },
        'multipart/form-data': { schema: z.looseObject({}) },
      },
    },
  },
  responses: { 200: replies(exhibitsSchema, 'What was read, and what could not be'), ...problems },
})

const download = createRoute({
  method: 'get',
  path: '/api/sessions/{id}/files/{sha256}',
  tags,
  summary: 'Get a file of a session',
  request: { params: sessionParams.extend({ sha256: sha256Schema }) },
  responses: {
    200: {
      content: { 'application/octet-stream': { schema: z.string() } },
      description: 'The bytes of the file',
    },
    ...problems,
  },
})

const readAll = async (files: readonly AttachedFile[]): Promise<ExhibitsReply> => {
  const exhibits: ExhibitsReply['exhibits'][number][] = []
  const refused: string[] = []
  for (const file of files) {
    try {
      const { data: _bytes, ...exhibit } = await exhibitFrom(file)
      exhibits.push(exhibit)
    } catch (error) {
      if (!UsageError.isInstance(error)) throw error
      refused.push(error.message)
    }
  }
  return { exhibits, problems: refused }
}

/** Without any body there are no files. */
const filesIn = ({ files = [] }: Partial<ExhibitsBody>): AttachedFile[] =>
  files.map(({ name, data }) => ({ name, bytes: new Uint8Array(Buffer.from(data, 'base64')) }))

export const exhibitRoutes = ({ engine }: Service) =>
  router()
    .openapi(read, async context => {
      const files = isMultipart(context.req)
        ? (await multipartOf(context.req)).files
        : filesIn(context.req.valid('json') as ExhibitsBody)
      return context.json(await readAll(files), 200)
    })
    .openapi(download, async context => {
      const { id, sha256 } = context.req.valid('param')
      const file = await engine.archive.file(id, sha256)
      if (!file) throw new Refusal(404, 'The session has no such file.')
      return context.body(Buffer.from(file.data, 'base64'), 200, { ...fileHeaders(file.media) })
    })
