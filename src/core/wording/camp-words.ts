/** How camps relate, in words. */
import type { Camp } from '../camps/camp.ts'
import { compatibleWith, type Tally } from '../verdict/tally.ts'

/** "compatible with “Wait a year”", or nothing if it is compatible with none. */
export const compatibleWords = (
  tally: Tally,
  id: string,
  name: (camp: Camp) => string = camp => `“${camp.label}”`,
): string => {
  const camps = compatibleWith(tally, id)
  return camps.length > 0 ? `compatible with ${camps.map(name).join(', ')}` : ''
}

/** "1 silent", "2 abstained": seats that are in no camp. One that has not answered is late, or the session ended before it did. */
export const missingParts = ({ silent, abstained, answered, of }: Tally, isOver = false): string[] => {
  const late = of - answered - silent.length - abstained.length
  return [
    ...(silent.length > 0 ? [`${silent.length} silent`] : []),
    ...(abstained.length > 0 ? [`${abstained.length} abstained`] : []),
    ...(late > 0 ? [`${late} ${isOver ? 'without an answer' : 'late'}`] : []),
  ]
}
