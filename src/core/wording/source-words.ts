/** Sources in words, the same on every face. */
import type { Source } from '../question/source.ts'

export const sourcesTitle = 'Sources of the web search'
export const foundTitle = 'Found by its own search'
export const unsearchedWords =
  'Its maker has no search tool that is known here, so it answered without searching.'

/** "[3] The title, 2026-01-02"; the address is shown apart. `exhibits`: how many have the numbers before. */
export const sourceHead = ({ title, date }: Source, index: number, exhibits: number): string =>
  [`[${exhibits + index + 1}] ${title}`, ...(date === undefined ? [] : [date])].join(', ')
