/** Every protocol there is. Command-line choices, pickers and contract tests derive from this list. */
import { UsageError } from '../core/errors.ts'
import { crossExamination } from './cross-examination/index.ts'
import { delphi } from './delphi/index.ts'
import { hybrid } from './hybrid/index.ts'
import { market } from './market/index.ts'
import { poll } from './poll/index.ts'
import type { Protocol } from './protocol.ts'
import { roundtable } from './roundtable/index.ts'

export const protocols: readonly Protocol[] = [
  hybrid(),
  roundtable(),
  poll(),
  delphi(),
  crossExamination(),
  market(),
]

export const defaultProtocol = 'hybrid'

/** Looked up in the built-in list, or in the one that is handed in. */
export const protocolNamed = (id: string, known: readonly Protocol[] = protocols): Protocol => {
  const found = known.find(protocol => protocol.id === id)
  if (found) return found
  throw new UsageError(
    `There is no protocol "${id}"; there are ${known.map(protocol => protocol.id).join(', ')}.`,
  )
}
