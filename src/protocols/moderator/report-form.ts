/** The form of a report, in the order of thought: what the answer follows from comes before the answer. */
import { z } from 'zod'
import { mostReasons, type ReportDraft } from '../../core/log/event.ts'
import { shapeOf } from '../../core/question/form.ts'
import type { Attribution } from '../../core/verdict/report-lookup.ts'

const seat = z.string().nullable().describe('The letter of the seat whose words it rests on; null if none.')
const quote = z
  .string()
  .nullable()
  .describe(
    'Its exact words, copied letter by letter, at most 25 of them; Markdown signs may be left out. Null without a seat.',
  )

const replySchema = z.object({
  reasons: z
    .array(z.object({ seat, quote, reason: z.string().describe('The reason in one or two sentences.') }))
    .describe('The reasons that carried the answer, the strongest first, one to five of them.'),
  moved: z
    .string()
    .nullable()
    .describe('Who moved whom, and by which point, in at most 60 words; null if nobody moved or conceded.'),
  counterpoint: z
    .object({ seat, quote, point: z.string().describe('The point in one or two sentences.') })
    .nullable()
    .describe('The strongest dissent; null if there is none.'),
  open: z.string().nullable().describe('What stayed open, in one or two sentences; null if nothing did.'),
  unverified: z
    .string()
    .nullable()
    .describe('What the answer rests on that nobody could verify, in one or two sentences; null if nothing.'),
  settle: z
    .string()
    .nullable()
    .describe(
      'What would settle the question, in one or two sentences; null if it is settled already or nothing would.',
    ),
  answer: z.string().describe("The table's answer in one sentence, without counts of seats."),
})

export const reportShape = shapeOf('report', replySchema)

/** What a moderator wrote, read leniently: a text where an object is asked for, or the summary of the earlier form. */
const text = z.string().nullish()
const unheld = { seat: null, quote: null }
const heldSchema = z.object({ seat: text, quote: text })
const readSchema = z.object({
  answer: z.string(),
  summary: text,
  reasons: z
    .array(
      z.union([
        z.string().transform(reason => ({ ...unheld, reason })),
        heldSchema.extend({ reason: z.string() }),
      ]),
    )
    .nullish(),
  moved: text,
  counterpoint: z
    .union([z.string().transform(point => ({ ...unheld, point })), heldSchema.extend({ point: z.string() })])
    .nullish(),
  open: text,
  unverified: text,
  settle: text,
})

/** A point with the words it rests on, if the moderator named a seat and quoted it. */
export type Held = ReportDraft['reasons'][number]

/** Models leave a part out by null, but also by "None" or "N/A". */
const said = (value: string | null | undefined): string | undefined => {
  const trimmed = value?.trim() ?? ''
  return /^(?:none|null|n\/a|nothing|-|–|—)?\.?$/i.test(trimmed) ? undefined : trimmed
}

const heldBy = (
  words: string,
  by: { readonly seat?: string | null | undefined; readonly quote?: string | null | undefined },
): Held | undefined => {
  const [point, seatName, quoted] = [said(words), said(by.seat), said(by.quote)]
  if (!point) return undefined
  return { text: point, ...(seatName && quoted && { held: { seat: seatName, quote: quoted } }) }
}

/** The parts of a reply. Undefined: its answer, or everything that carries it, is missing. */
export const draftFrom = (raw: unknown): ReportDraft | { readonly problem: string } => {
  const reply = readSchema.safeParse(raw)
  if (!reply.success) return { problem: 'answer or reasons are missing' }
  const { reasons, counterpoint, summary, ...rest } = reply.data
  const given = (reasons ?? []).flatMap(one => heldBy(one.reason, one) ?? []).slice(0, mostReasons)
  const old = given.length === 0 ? said(summary) : undefined
  if (!said(rest.answer) || (given.length === 0 && !old)) return { problem: 'answer or reasons are empty' }
  const optional = (['moved', 'open', 'unverified', 'settle'] as const).flatMap(part => {
    const words = said(rest[part])
    return words ? [[part, words] as const] : []
  })
  const dissent = counterpoint ? heldBy(counterpoint.point, counterpoint) : undefined
  return {
    answer: rest.answer.trim(),
    reasons: given,
    ...(old && { summary: old }),
    ...Object.fromEntries(optional),
    ...(dissent && { counterpoint: dissent }),
  }
}

/** Everything of a draft that is prose. */
export const proseOf = ({ answer, summary, reasons, counterpoint, ...rest }: ReportDraft): string =>
  [summary, ...reasons.map(one => one.text), counterpoint?.text, ...Object.values(rest), answer]
    .filter(part => part !== undefined)
    .join('\n')

export const attributionsOf = ({ reasons, counterpoint }: ReportDraft): Attribution[] =>
  [...reasons, ...(counterpoint ? [counterpoint] : [])].flatMap(({ held }) => held ?? [])
