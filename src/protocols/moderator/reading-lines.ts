/** What the report's author is told about how the table reads the question. */
import { readingsOf } from '../../core/camps/readings.ts'
import { type Session, seatOf } from '../../core/log/state.ts'
import { verdictOf } from '../../core/verdict/verdict.ts'
import { maskFor } from '../../core/wording/mask.ts'
import { readingTexts } from '../../core/wording/reading-words.ts'
import { shortened } from '../prompt-parts.ts'

/** A reading is one line. */
const longestReading = 400

/** One JSON object a line, to go behind the fence: seats wrote the readings. Empty if words don't part the table. */
export const readingLines = (session: Session): string[] => {
  const mask = maskFor(session)
  return readingTexts({
    level: verdictOf(session).level,
    readings: readingsOf(session),
    name: seat => seatOf(session, seat).alias,
  }).map(({ reading, who }) =>
    JSON.stringify({ sealedReading: shortened(mask(reading), longestReading), seats: who }),
  )
}
