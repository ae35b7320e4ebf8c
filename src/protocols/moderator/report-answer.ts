/** Compares the answer of a report with the headline that leads, as headlines are compared for camps. */
import type { Relation } from '../../core/log/event.ts'
import type { Session } from '../../core/log/state.ts'
import { maskFor } from '../../core/wording/mask.ts'
import type { Prompt } from '../protocol.ts'
import { comparison } from './check.ts'

export const answerPrompt = (
  session: Session,
  { headline, answer }: { readonly headline: string; readonly answer: string },
): Prompt => {
  const mask = maskFor(session)
  return comparison(session, 'report answer', [mask(headline), mask(answer)])
}

/** Why a report is turned down for its answer. Undefined: it says what the leading position says. */
export const answerProblem = (answer: string, relation: Relation): string | undefined =>
  relation === 'different' || relation === 'compatible'
    ? `its answer isn't the leading position: ${JSON.stringify(answer)}`
    : undefined
