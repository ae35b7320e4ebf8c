/** What models say at a table of six, by their names: a split table, one that nearly agrees and hears an objection, one that agrees. */
import { defaultHandler } from './answers.ts'
import { type ChatBody, objectsIn, type RecordedCall, schemaOf } from './call.ts'

export const tableKinds = ['split', 'objection', 'agreed'] as const
export type TableKind = (typeof tableKinds)[number]

const options = ['Rail', 'Road'] as const
type Side = (typeof options)[number]

const usual = defaultHandler()
/** Two hundred tokens of four characters. */
const replyLength = 800

const textOf = ({ messages }: ChatBody): string => messages.map(({ content }) => content).join('\n')
const sideOf = (headline: unknown): Side => (String(headline).startsWith('Road') ? 'Road' : 'Rail')

/** The seat's side so far. */
const lastSide = (text: string): Side | undefined => {
  const own = objectsIn((text.split('Your last answer was:')[1] ?? '').split('\n'))[0]
  return own && sideOf(own.headline)
}

/** In a split table the first seat switches in every round; otherwise the last one is convinced. */
const sideIn = (kind: string, seat: number, last: Side | undefined): Side => {
  if (kind === 'agreed') return 'Rail'
  if (kind === 'objection') return seat === 6 && !last ? 'Road' : 'Rail'
  if (last && seat === 1) return last === 'Rail' ? 'Road' : 'Rail'
  return last ?? (seat % 2 === 0 ? 'Road' : 'Rail')
}

const answered = (body: ChatBody, fields: object): object => {
  const [, kind = '', seat = ''] = /^(\w+)-m(\d+)$/.exec(body.model) ?? []
  const last = lastSide(textOf(body))
  const side = sideIn(kind, Number(seat), last)
  const ranking = side === 'Rail' ? [...options] : [...options].reverse()
  const values = { choice: side, ranking, number: side === 'Rail' ? 100 : 400, low: null, high: null }
  return {
    headline: `${side} is the way to go, as seat ${seat} sees it.`,
    ...Object.fromEntries(Object.entries(values).filter(([name]) => name in fields)),
    ...('decision' in fields && { decision: last === side ? 'kept' : 'changed', reason: null, points: [] }),
  }
}

/** An id for each seat by what its headline says: a known position's, or a new one. */
const labelled = (body: ChatBody, fields: object): object => {
  const objects = objectsIn(textOf(body).split('\n'))
  const known = objects.filter(one => 'id' in one && 'label' in one)
  const idOf = (side: Side): unknown =>
    known.find(one => sideOf(one.headline) === side)?.id ?? (side === 'Rail' ? 'n1' : 'n2')
  const seats = objects.filter(one => typeof one.seat === 'string' && String(one.seat) in fields)
  const ids = new Map(seats.map(one => [String(one.seat), idOf(sideOf(one.headline))]))
  return {
    ...Object.fromEntries(ids),
    positions: [...new Set(ids.values())].map(id => ({
      id,
      label: `${id === idOf('Rail') ? 'Rail' : 'Road'}`,
    })),
    ...('against' in fields && { against: body.model.startsWith('split') ? null : idOf('Rail') }),
  }
}

const related = (body: ChatBody): object =>
  Object.fromEntries(
    objectsIn(textOf(body).split('\n'))
      .filter(one => typeof one.pair === 'string')
      .map(one => [
        one.pair,
        { why: 'Compared.', relation: sideOf(one.first) === sideOf(one.second) ? 'same' : 'different' },
      ]),
  )

const objected = ({ model }: ChatBody): object =>
  model.startsWith('objection')
    ? {
        tried: 'Its cost.',
        objection: 'Rails freeze in winter.',
        check: 'Look at the records of last winter.',
      }
    : { tried: 'Its cost.', objection: null, check: null }

const replyTo = (call: RecordedCall): Record<string, unknown> => {
  const { body } = call
  const fields = (schemaOf(body)?.properties ?? {}) as object
  const reply = usual(call) as Record<string, unknown>
  if ('headline' in fields) return { ...reply, ...answered(body, fields) }
  return {
    ...reply,
    ...('positions' in fields && labelled(body, fields)),
    ...('p1' in fields && related(body)),
    ...('objection' in fields && objected(body)),
    ...('kind' in fields && { kind: 'judgement' }),
  }
}

/** Every reply takes as long as any other, so that a stage is a stage. */
export const replyIn = (call: RecordedCall): Record<string, unknown> => {
  const reply = replyTo(call)
  const spare = replyLength - JSON.stringify({ ...reply, aside: '' }).length
  return spare > 0 ? { ...reply, aside: 'Further. '.repeat(100).slice(0, spare) } : reply
}
