/** A shared session for clients without scripts, such as link previews: its title, its description and a picture. */

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { inflateSync } from 'node:zlib'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { html } from 'hono/html'
import { models } from '../core/basics.ts'
import { fold } from '../core/fold.ts'
import { pictureMedia } from '../core/question.ts'
import type { Session } from '../core/session.ts'
import { campNumbers } from '../count/moves.ts'
import { levelTitle } from '../count/tally.ts'
import { verdictOf } from '../count/verdict.ts'
import { campPatterns, type DrawnShape, shape, svgText } from '../words/camp-patterns.ts'
import { type ColourName, flowDrawing, palette, tableDrawing } from '../words/pictures.ts'
import { exportPolicy, pagePolicy } from './guards.ts'
import { Refusal } from './log.ts'
import type { Env, Service } from './service.ts'
import { sessionShared } from './sessions.ts'

// fileHeaders: The headers of a file of a session: a page shows pictures, and anything else a browser saves.

const isShown = (media: string): boolean => (pictureMedia as readonly string[]).includes(media)

export const fileHeaders = (media: string): Readonly<Record<string, string>> => ({
  'content-type': isShown(media) ? media : 'application/octet-stream',
  // Whatever it says that it is.
  'content-disposition': 'attachment',
  'content-security-policy': exportPolicy,
  'cache-control': 'private, max-age=3600',
})

// fonts: The pages' serif type for the renderer, which reads plain font files and none that are packed for the web.

export const family = 'Source Serif 4'
export const boldFamily = 'Source Serif 4 SemiBold'
const scripts = ['latin', 'latin-ext', 'greek', 'cyrillic', 'vietnamese'] as const
const weights = [400, 600] as const

const headerSize = { woff: 44, sfnt: 12 }
const entrySize = { woff: 20, sfnt: 16 }

/** A WOFF file is a font whose tables are deflated one by one: https://www.w3.org/TR/WOFF/ */
export const unpacked = (woff: Buffer): Buffer => {
  const count = woff.readUInt16BE(12)
  const tables = Array.from({ length: count }, (_, index) => {
    const at = headerSize.woff + index * entrySize.woff
    const [offset, packed, length] = [4, 8, 12].map(field => woff.readUInt32BE(at + field)) as [
      number,
      number,
      number,
    ]
    const data = woff.subarray(offset, offset + packed)
    return {
      tag: woff.subarray(at, at + 4),
      checksum: woff.readUInt32BE(at + 16),
      data: packed < length ? inflateSync(data) : data,
    }
  })
  const directory = Buffer.alloc(headerSize.sfnt + count * entrySize.sfnt)
  const power = 2 ** Math.floor(Math.log2(count))
  woff.copy(directory, 0, 4, 8)
  directory.writeUInt16BE(count, 4)
  directory.writeUInt16BE(power * 16, 6)
  directory.writeUInt16BE(Math.log2(power), 8)
  directory.writeUInt16BE(count * 16 - power * 16, 10)
  const parts: Buffer[] = [directory]
  let offset = directory.length
  for (const [index, { tag, checksum, data }] of tables.entries()) {
    const at = headerSize.sfnt + index * entrySize.sfnt
    tag.copy(directory, at)
    directory.writeUInt32BE(checksum, at + 4)
    directory.writeUInt32BE(offset, at + 8)
    directory.writeUInt32BE(data.length, at + 12)
    const padding = Buffer.alloc((4 - (data.length % 4)) % 4)
    parts.push(data, padding)
    offset += data.length + padding.length
  }
  return Buffer.concat(parts)
}

export const loadFonts = (): Promise<Buffer[]> =>
  Promise.all(
    scripts.flatMap(script =>
      weights.map(async weight => {
        const name = `@fontsource/source-serif-4/files/source-serif-4-${script}-${weight}-normal.woff`
        return unpacked(await readFile(fileURLToPath(import.meta.resolve(name))))
      }),
    ),
  )

/** Scripts that the fonts have. Words in another one would be drawn as empty boxes. */
export const isDrawable = (text: string): boolean =>
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]*$/u.test(text)

// lines: Breaks text into lines of a picture, which has no layout of its own.

/** Widths as shares of the type's size, rather too wide than too narrow. */
const widthOf = (character: string): number => {
  if (/[iljtfrI.,:;'’!|()[\]]/.test(character)) return 0.36
  if (/[mwMW@%—…]/.test(character)) return 0.96
  if (/[A-ZÀ-ÖØ-Þ\p{Lu}]/u.test(character)) return 0.72
  return character === ' ' ? 0.26 : 0.56
}

export const textWidth = (text: string, size: number): number =>
  [...text].reduce((sum, character) => sum + widthOf(character), 0) * size

/** A word that is wider than a line is broken anywhere. */
const pieces = (word: string, size: number, width: number): string[] => {
  const result: string[] = []
  let piece = ''
  for (const character of word) {
    if (piece !== '' && textWidth(piece + character, size) > width) {
      result.push(piece)
      piece = ''
    }
    piece += character
  }
  return [...result, piece]
}

/** At most so many lines; the last one ends with an ellipsis if there was more. */
export const linesOf = (text: string, size: number, width: number, most: number): string[] => {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).flatMap(one => pieces(one, size, width))) {
    const longer = line === '' ? word : `${line} ${word}`
    if (textWidth(longer, size) <= width) {
      line = longer
      continue
    }
    lines.push(line)
    line = word
    if (lines.length > most) break
  }
  lines.push(line)
  if (lines.length <= most) return lines.filter(one => one !== '')
  const last = lines[most - 1]!
  const shortened = textWidth(`${last}…`, size) <= width ? last : last.slice(0, -2)
  return [...lines.slice(0, most - 1), `${shortened.replace(/[\s,.;:]+$/, '')}…`]
}

// picture: The preview picture of a shared link: the question, the table's answer and how many agree in words, beside the table as
// the pages draw it. Words in a script that the fonts don't have are left to the head of the page.

/** The size that crawlers expect. */
export const pictureSize = { width: 1_200, height: 630 }
const margin = 56
const column = 610
const longestText = 600

const plain = (text: string): string =>
  text
    .slice(0, longestText)
    .replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]|\p{Extended_Pictographic}|\uFE0F/gu, ' ')
    .trim()

/** "Large majority: 5 of 6 agree" */
export const agreementWords = (session: Session): string => {
  const { level, agree, of } = verdictOf(session)
  if (!session.outcome) return `${models(of)}, still running`
  if (level === null) return 'No verdict'
  const deed = of === 1 ? 'answered' : 'agree'
  const count = agree === 1 && of > 1 ? 'no two agree' : `${agree} of ${of} ${deed}`
  return `${levelTitle(level, of === 1)}: ${count}`
}

interface Paragraph {
  readonly text: string
  readonly size: number
  readonly most: number
  readonly weight: number
  readonly colour: ColourName
}

/** The question leads while there is no answer. */
const paragraphsOf = (session: Session): Paragraph[] => {
  const question = plain(session.question.text)
  const answer = session.report && plain(session.report.answer)
  const strong = { weight: 600, colour: 'ink' } as const
  return [
    ...(answer
      ? [
          { text: question, size: 27, most: 2, weight: 400, colour: 'soft' as const },
          { text: answer, size: answer.length > 150 ? 34 : 42, most: answer.length > 150 ? 7 : 6, ...strong },
        ]
      : [{ text: question, size: 46, most: 6, ...strong }]),
    { text: agreementWords(session), size: 30, most: 2, weight: 600, colour: 'accent' as const },
  ]
}

const wordShapes = (paragraphs: readonly Paragraph[]): DrawnShape[] => {
  const set = paragraphs.map(one => ({ ...one, lines: linesOf(one.text, one.size, column, one.most) }))
  const between = 24
  const heightOf = ({ lines, size }: (typeof set)[number]): number => lines.length * size * 1.28
  const whole = set.reduce((sum, one) => sum + heightOf(one), (set.length - 1) * between)
  let y = (pictureSize.height - whole) / 2
  return set.flatMap(one => {
    const top = y
    y += heightOf(one) + between
    return one.lines.map((line, index) =>
      shape(
        'text',
        {
          x: margin,
          y: Math.round(top + one.size * (0.95 + index * 1.28)),
          ...{ fontSize: one.size, fontWeight: one.weight, fill: `var(--${one.colour})` },
        },
        line,
      ),
    )
  })
}

const placed = (drawing: DrawnShape, x: number, y: number, width: number, height: number): DrawnShape => ({
  ...drawing,
  attributes: { ...drawing.attributes, x, y, width, height },
})

/** With words the table is beside them; without words the flow is. */
const contentOf = (session: Session): DrawnShape[] => {
  const numbers = campNumbers(session)
  const table = tableDrawing(session, numbers)
  const paragraphs = paragraphsOf(session)
  const { width, height } = pictureSize
  if (paragraphs.every(({ text }) => isDrawable(text)))
    return [placed(table, width - 520, (height - 430) / 2, 500, 430), ...wordShapes(paragraphs)]
  const flow = flowDrawing(session, numbers)
  if (!flow) return [placed(table, (width - 600) / 2, 40, 600, 530)]
  return [placed(table, 30, 65, 560, 490), placed(flow, 610, 100, 540, 420)]
}

/** The renderer knows no variables, and finds the semibold fonts by their own name alone. */
const forRenderer = (svg: string): string =>
  svg
    .replace(
      /var\(--([a-z0-9-]+)\)/g,
      (_, name: string) => palette[name as ColourName]?.[0] ?? palette.ink[0],
    )
    .replace(/ font-weight="[67]00"/g, ` font-family="${boldFamily}" font-weight="600"`)

export const pictureSvg = (session: Session): string => {
  const { width, height } = pictureSize
  const drawing = shape(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, fontFamily: family },
    campPatterns(campNumbers(session).size),
    shape('rect', { width, height, fill: 'var(--paper)' }),
    ...contentOf(session),
    shape('rect', { y: height - 10, width, height: 10, fill: 'var(--accent)' }),
  )
  return forRenderer(svgText(drawing))
}

/** The renderer and its fonts take a while to load, and most servers never draw a picture. */
const load = async () => {
  const { initWasm, Resvg } = await import('@resvg/resvg-wasm')
  await initWasm(await readFile(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))))
  return { Resvg, fontBuffers: await loadFonts() }
}
let loaded: ReturnType<typeof load> | undefined

export const renderPng = async (svg: string, width: number): Promise<Buffer> => {
  loaded ??= load()
  const { Resvg, fontBuffers } = await loaded
  const font = { fontBuffers, defaultFontFamily: family }
  const renderer = new Resvg(svg, { font, fitTo: { mode: 'width', value: width } })
  const picture = renderer.render()
  const png = Buffer.from(picture.asPng())
  // Their memory isn't freed by the garbage collector.
  picture.free()
  renderer.free()
  return png
}

export const pictureOf = (session: Session): Promise<Buffer> =>
  renderPng(pictureSvg(session), pictureSize.width)

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
