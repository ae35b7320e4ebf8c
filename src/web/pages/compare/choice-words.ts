/** How a session is called among others to choose from. */
import { capitalised } from '../../../core/wording/capital.ts'
import { dayText } from '../../../core/wording/dates.ts'

interface Choosable {
  readonly question: string
  readonly protocol: string
  readonly openedAt: string
}

/** Sessions with the same question are told apart by what comes first: the end is cut off on a phone. */
export const choiceWords = ({ question, protocol, openedAt }: Choosable): string =>
  `${dayText(openedAt)} · ${capitalised(protocol)} · ${question.slice(0, 70)}`
