/** Whether and how a session searches the web, as its first event says it; and what a person should know about it. */
import { UsageError } from '../core/errors.ts'
import type { Seat, SessionOpened } from '../core/log/event.ts'
import type { Session } from '../core/log/state.ts'
import type { Amount } from '../protocols/protocol.ts'
import { searchTokens } from '../runtime/ask.ts'
import { resolveModel } from '../runtime/context.ts'
import type { AskInput } from './ask-input.ts'
import type { Reach } from './reach.ts'

type Searching = Pick<SessionOpened, 'search' | 'fetch' | 'sources'>
type Reached = Pick<Reach, 'providers' | 'searcher'>

/** How many searches one call may make. */
const mostSearches = ({ providers }: Reached, name: string): number => {
  const { provider, model } = resolveModel(providers, name)
  return provider.searches?.(model) ?? 0
}

const canSearch = (reach: Reached, name: string): boolean => mostSearches(reach, name) > 0

const refuseWithoutSearcher = (reach: Reached, moderator: string | null): void => {
  if (reach.searcher || (moderator !== null && canSearch(reach, moderator))) return
  throw new UsageError(
    "Nobody can search the web for the table. Set ROUNDTABLE_SEARCH to a search endpoint, such as searxng=http://127.0.0.1:8888, or choose a moderator whose maker has a search tool: OpenAI, Anthropic, Google, xAI, Mistral or OpenRouter's models.",
  )
}

/** What a fork takes over from the session before: the same question isn't searched for again. */
export const sourcesOf = (
  before: Pick<Session, 'question' | 'sources'>,
  { question, search }: Pick<AskInput, 'question' | 'search'>,
): Pick<Searching, 'sources'> =>
  search === 'shared' && before.sources && question === before.question.text
    ? { sources: before.sources }
    : {}

/** Throws UsageError if one search for all seats is asked for and nobody can make it. */
export const searchFor = (
  { search = 'off', fetch }: Pick<AskInput, 'search' | 'fetch'>,
  moderator: string | null,
  reach: Reached,
  { sources }: Pick<Searching, 'sources'>,
): Searching => {
  if (search === 'shared' && !sources) refuseWithoutSearcher(reach, moderator)
  return {
    ...(search !== 'off' && { search }),
    ...(search === 'shared' && sources && { sources }),
    ...(fetch === false && { fetch }),
  }
}

export const searchNotes = (
  { search, seats }: Pick<SessionOpened, 'search' | 'seats'>,
  reach: Reached,
): string[] => {
  if (search !== 'native') return []
  const without = seats.filter(({ outside, model }) => !outside && !canSearch(reach, model))
  if (without.length === 0) return []
  const names = without.map(({ name }) => name).join(', ')
  return [`${names}: no search tool of its maker is known, so it answers without searching.`]
}

/** What the sources of a search add to every prompt. */
const packTokens = { low: 600, high: 6_000 } as const
/** A model that searches for the table, besides what its search finds. */
const searchCall = { low: { input: 400, output: 300 }, high: { input: 400, output: 2_000 } } as const

const nothing: Amount = { calls: 0, inputTokens: 0, outputTokens: 0 }

type End = 'low' | 'high'

/** Tokens of the sources in each prompt, as far as they aren't known yet. */
export const packLoad = ({ search, sources }: Searching, end: End): number =>
  search === 'shared' && !sources ? packTokens[end] : 0

/** One search in a call, or as many as it may make. */
const searchesFor = (reach: Reached, model: string, end: End): number =>
  end === 'low' ? 1 : mostSearches(reach, model)

/** The one call of the moderator's model, if it searches. */
export const searcherLoad = (
  { search, sources, moderator }: Searching & Pick<SessionOpened, 'moderator'>,
  reach: Reached,
  end: End,
): Amount =>
  search !== 'shared' || sources || reach.searcher || moderator === null
    ? nothing
    : {
        calls: 1,
        inputTokens: searchCall[end].input + searchTokens[end],
        outputTokens: searchCall[end].output,
        searches: searchesFor(reach, moderator, end),
      }

/** What a seat's own searches add to so many calls. */
export const ownSearchLoad = (
  { search }: Searching,
  { model }: Pick<Seat, 'model'>,
  reach: Reached,
  calls: number,
  end: End,
): Amount =>
  search === 'native' && canSearch(reach, model)
    ? {
        ...nothing,
        inputTokens: calls * searchTokens[end],
        searches: calls * searchesFor(reach, model, end),
      }
    : nothing

/** What the search endpoint charges for the one search, in dollars. */
export const endpointFee = ({ search, sources }: Searching, { searcher }: Reached): number =>
  search === 'shared' && !sources && searcher ? searcher.fee : 0

export const feeNote = (searches: number, fee: number): string[] =>
  searches > 0 || fee > 0 ? ['The cost includes a fee for each web search.'] : []
