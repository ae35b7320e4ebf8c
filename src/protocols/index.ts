/** Every built-in protocol. Command-line choices, pickers and contract tests come from this list. */
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

/** The built-in protocols and one's own. With two of one id, nobody could tell which of them a log names. */
export const protocolsWith = (own: readonly Protocol[] = []): readonly Protocol[] => {
  const all = [...protocols, ...own]
  const twice = all.find(({ id }, index) => all.findIndex(other => other.id === id) !== index)
  if (!twice) return all
  throw new UsageError(`There are two protocols with the id "${twice.id}": give yours another one.`)
}

export const protocolNamed = (id: string, among: readonly Protocol[] = protocols): Protocol => {
  const found = among.find(protocol => protocol.id === id)
  if (found) return found
  throw new UsageError(
    `There is no protocol "${id}"; there are ${among.map(protocol => protocol.id).join(', ')}.`,
  )
}
