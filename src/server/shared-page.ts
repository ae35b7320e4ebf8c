/** A shared session for clients without scripts, such as link previews: its title, its description and a picture. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { html } from 'hono/html'
import { fold, type Session } from '../core/log/state.ts'
import { verdictOf } from '../core/verdict/verdict.ts'
import { models } from '../core/wording/numbers.ts'
import { pagePolicy } from './headers.ts'
import { agreementWords, pictureOf, pictureSize } from './preview/picture.ts'
import { Refusal } from './problem.ts'
import type { Env, Service } from './service.ts'
import { sessionShared } from './shares.ts'

const longestTitle = 120
const longestDescription = 300
/** How many pictures are kept: drawing one takes a tenth of a second, and many crawlers come at once. */
const mostPictures = 50

/** One line, without the characters that change the direction of text. */
const line = (text: string, longest: number): string => {
  const plain = text
    .replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const characters = [...plain]
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : plain
}

const seatsOf = ({ seats }: Session): string =>
  `${models(seats.length)}: ${seats.map(({ name }) => name).join(', ')}`

const descriptionOf = (session: Session): string => {
  if (!session.outcome) return `The session is still running. ${seatsOf(session)}.`
  const { line: verdict } = verdictOf(session)
  return [session.report?.answer, `${verdict}.`, seatsOf(session)].filter(Boolean).join(' ')
}

/** Behind a TLS proxy this server gets plain HTTP. A forged header can only change the response to its own request. */
const addressOf = ({ req }: Context<Env>): URL => {
  const url = new URL(req.path, req.url)
  if (req.header('x-forwarded-proto') === 'https') url.protocol = 'https:'
  return url
}

const headOf = (session: Session, address: URL) => {
  const title = line(session.question.text, longestTitle)
  const description = line(descriptionOf(session), longestDescription)
  const picture = `${address.href}/preview.png`
  const alternative = line(
    `${agreementWords(session)}. The round table, each seat in the colour of its camp`,
    longestDescription,
  )
  const { width, height } = pictureSize
  return html`<title>${title} · Roundtable</title>
    <meta name="description" content="${description}" />
    <meta name="robots" content="noindex" />
    <meta property="og:type" content="article" />
    <meta property="og:site_name" content="Roundtable" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:url" content="${address.href}" />
    <meta property="og:image" content="${picture}" />
    <meta property="og:image:type" content="image/png" />
    <meta property="og:image:width" content="${width}" />
    <meta property="og:image:height" content="${height}" />
    <meta property="og:image:alt" content="${alternative}" />
    <meta name="twitter:card" content="summary_large_image" />
    <meta name="twitter:title" content="${title}" />
    <meta name="twitter:description" content="${description}" />
    <meta name="twitter:image" content="${picture}" />
    <meta name="twitter:image:alt" content="${alternative}" />`
}

/** The index page, with the title and the description of the session. */
const withHead = (index: string, head: string): string =>
  index
    .replace(/<meta\s+name="description"[^>]*>\s*/, '')
    // A function, because a question may contain `$&`.
    .replace(/<title>[^<]*<\/title>/, () => head)

const cached = (draw: (session: Session) => Promise<Buffer>) => {
  const pictures = new Map<string, Promise<Buffer>>()
  return (session: Session): Promise<Buffer> => {
    const key = `${session.id} ${session.position}`
    const picture = pictures.get(key) ?? draw(session)
    pictures.delete(key)
    pictures.set(key, picture)
    const [oldest] = pictures.keys()
    if (pictures.size > mostPictures && oldest !== undefined) pictures.delete(oldest)
    return picture
  }
}

/** If a link was revoked, the page says so to people, and the status 404 says so to programs. */
export const addSharedPages = (
  app: OpenAPIHono<Env>,
  { engine: { archive } }: Service,
  index: string | undefined,
): void => {
  const picture = cached(pictureOf)
  const sessionOf = async (token: string): Promise<Session | undefined> => {
    const id = await sessionShared(archive, token)
    const log = id === undefined ? [] : await archive.read(id)
    return log.length > 0 ? fold(log) : undefined
  }
  app.get('/shared/:token/preview.png', async context => {
    const session = await sessionOf(context.req.param('token'))
    if (!session) throw new Refusal(404, 'This link was revoked or is incomplete.')
    return context.body(new Uint8Array(await picture(session)), 200, {
      'content-type': 'image/png',
      'cache-control': 'no-cache',
    })
  })
  if (index === undefined) return
  app.get('/shared/:token', async context => {
    const session = await sessionOf(context.req.param('token'))
    const headers = { 'content-security-policy': pagePolicy, 'cache-control': 'no-cache' }
    if (!session) return context.html(index, 404, headers)
    const head = String(await headOf(session, addressOf(context)))
    return context.html(withHead(index, head), 200, headers)
  })
}
