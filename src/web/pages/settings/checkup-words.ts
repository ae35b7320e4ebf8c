/** What a check of the setup found, in a sentence or two. */
import type { SettingsReply } from '../../../api/index.ts'
import { counted } from '../../../core/wording/numbers.ts'

export type SetupFinding = NonNullable<SettingsReply['findings']>[number]

const providersWords = (findings: readonly SetupFinding[]): string => {
  const providers = findings.filter(({ key }) => key !== undefined)
  if (providers.length === 0) return 'No provider is set up.'
  const answering = providers.filter(({ state }) => state === 'good').length
  return `${answering} of ${counted(providers.length, 'provider')} ${answering === 1 ? 'answers' : 'answer'}.`
}

/** `seats` are those of the default table. */
export const checkupWords = (findings: readonly SetupFinding[], seats: number | undefined): string => {
  const table = seats === 0 ? 'No default table.' : `The default table has ${counted(seats ?? 0, 'seat')}.`
  return [providersWords(findings), ...(seats === undefined ? [] : [table])].join(' ')
}
