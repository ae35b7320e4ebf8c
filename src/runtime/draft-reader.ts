/** What watchers see of a reply while it is written. */
import type { DraftField } from '../core/log/live-event.ts'
import { type JsonFields, jsonFields } from './json-fields.ts'

/** The fields of a reply, and as what they are shown: small models conclude, advocates argue. */
const shownAs: Readonly<Record<string, DraftField>> = {
  'points.quote': 'points',
  'points.why': 'points',
  reasoning: 'reasoning',
  argument: 'reasoning',
  text: 'text',
  headline: 'headline',
  conclusion: 'headline',
  // Of a report.
  'reasons.reason': 'points',
  moved: 'reasoning',
  open: 'reasoning',
  unverified: 'reasoning',
  settle: 'reasoning',
  answer: 'headline',
  // Of a report on texts.
  common: 'reasoning',
  'each.only': 'points',
}

/** Parts of a report that begin on a line of their own. */
const ownLine: ReadonlySet<string> = new Set([
  'reasons.reason',
  'each.only',
  ...['moved', 'open', 'unverified', 'settle'],
])

export interface DraftListener {
  onDelta(field: DraftField, text: string): void
  /** A text is whole: what was held back of it can be shown. */
  onWhole?(field: DraftField): void
}

/** Others' points are shown a line each, as `draftPoint` writes them: their words in quotation marks, then why. */
export const draftReader = ({ onDelta, onWhole }: DraftListener): JsonFields => {
  let isQuoting = false
  let lines = 0
  const begun = new Set<DraftField>()
  const newLine = (): string => (lines++ === 0 ? '' : '\n')
  const begin = (field: string): void => {
    if (field === 'points.quote') {
      onDelta('points', `${isQuoting ? '”' : ''}${newLine()}“`)
      isQuoting = true
    } else if (field === 'points.why') {
      onDelta('points', isQuoting ? '” ' : newLine())
      isQuoting = false
    } else if (ownLine.has(field)) {
      const shown = shownAs[field]!
      if (begun.has(shown)) onDelta(shown, '\n')
      begun.add(shown)
    }
  }
  return jsonFields(
    Object.keys(shownAs),
    (field, text) => onDelta(shownAs[field]!, text),
    begin,
    field => onWhole?.(shownAs[field]!),
  )
}
