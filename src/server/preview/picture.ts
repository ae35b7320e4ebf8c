/**
 * The preview picture of a shared link: the question, the table's answer and how many agree in words, beside the table as
 * the pages draw it. Words in a script that the fonts don't have are left to the head of the page.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { campNumbers } from '../../core/camps/standings.ts'
import { campPatterns } from '../../core/drawing/camp-patterns.ts'
import { flowDrawing } from '../../core/drawing/flow.ts'
import { type ColourName, palette } from '../../core/drawing/palette.ts'
import { type DrawnShape, shape, svgText } from '../../core/drawing/shape.ts'
import { tableDrawing } from '../../core/drawing/table.ts'
import type { Session } from '../../core/log/state.ts'
import { verdictOf } from '../../core/verdict/verdict.ts'
import { levelTitle } from '../../core/wording/level-words.ts'
import { models } from '../../core/wording/numbers.ts'
import { boldFamily, family, isDrawable, loadFonts } from './fonts.ts'
import { linesOf } from './lines.ts'

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
