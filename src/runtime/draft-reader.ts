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
}

/** Others' points are shown a line each, as `draftPoint` writes them: their words in quotation marks, then why. */
export const draftReader = (onDelta: (field: DraftField, text: string) => void): JsonFields => {
  let isQuoting = false
  let lines = 0
  const newLine = (): string => (lines++ === 0 ? '' : '\n')
  const begin = (field: string): void => {
    if (field === 'points.quote') {
      onDelta('points', `${isQuoting ? '”' : ''}${newLine()}“`)
      isQuoting = true
    } else if (field === 'points.why') {
      onDelta('points', isQuoting ? '” ' : newLine())
      isQuoting = false
    }
  }
  return jsonFields(Object.keys(shownAs), (field, text) => onDelta(shownAs[field]!, text), begin)
}
