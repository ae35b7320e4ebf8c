/** The one search for all seats, by the person's search endpoint or by the moderator's model. */
import type { ModelError } from '../core/errors.ts'
import type { Happening } from '../core/log/event.ts'
import type { Usage } from '../core/log/spent.ts'
import type { Session } from '../core/log/state.ts'
import { withPage } from '../core/question/citation.ts'
import { queryFor, type Source, sourcesFrom } from '../core/question/source.ts'
import { searchPrompt } from '../protocols/search-prompt.ts'
import type { Searcher } from '../providers/search/index.ts'
import { askModel, eventFrom } from './ask-model.ts'
import { pageIn } from './cited-pages.ts'
import type { RunContext } from './context.ts'

const failed = (by: string, error: ModelError): Happening => ({ type: 'search-failed', by, error })

const found = (session: Session, by: string, sources: readonly Source[]): Happening => ({
  type: 'evidence-found',
  by,
  query: queryFor(session.question.text),
  sources,
})

const stopped: ModelError = { kind: 'cancelled', message: 'stopped before the search' }

/** A search endpoint takes no tokens. */
const oneQuery = { inputTokens: 0, leastOutput: 0, mostOutput: 0, searches: 1 }

const byEndpoint = async (
  { meter, signal }: RunContext,
  session: Session,
  { label, fee, search }: Searcher,
): Promise<Happening> => {
  const reserved = await meter.reserve(oneQuery, { input: 0, output: 0, search: fee }, signal)
  if (!reserved) return failed(label, signal.aborted ? stopped : { kind: 'budget', message: meter.words })
  let usage: Usage | undefined
  try {
    const result = await search(queryFor(session.question.text), signal)
    if ('error' in result) return failed(label, result.error)
    if (fee > 0) usage = { inputTokens: 0, outputTokens: 0, searches: 1, costUsd: fee }
    return { ...found(session, label, result.sources), ...(usage && { usage }) } as Happening
  } finally {
    reserved.settle(usage)
  }
}

/** A model may invent quotes: those that aren't in their page are left out, and those nobody could look up are marked. */
const checkedSource =
  ({ pages }: RunContext, session: Session) =>
  async (source: Source): Promise<Source> => {
    const page = await pageIn(pages, session, source.address)
    if ('unreachable' in page) return { ...source, unchecked: page.unreachable.slice(0, 500) }
    const { address } = source
    const stands = (quote: string): boolean => withPage({ address, quote, verified: false }, page).verified
    return { ...source, quotes: source.quotes.filter(stands) }
  }

const byModel = async (context: RunContext, session: Session, model: string): Promise<Happening> => {
  const asked = await askModel<readonly Source[]>(context, session, {
    prompt: searchPrompt(session),
    name: 'search',
    read: raw => (Array.isArray(raw.sources) ? sourcesFrom(raw.sources) : { problem: 'it lists no sources' }),
  })
  const sources =
    asked.status === 'given' ? await Promise.all(asked.value.map(checkedSource(context, session))) : []
  return eventFrom(asked, {
    given: () => found(session, model, sources),
    failed: error => failed(model, error),
  })
}

export const searchWeb = (context: RunContext, session: Session): Promise<Happening> => {
  const { searcher } = context
  const { moderator } = session
  if (searcher) return byEndpoint(context, session, searcher)
  if (moderator !== null) return byModel(context, session, moderator)
  const message = 'nobody can search: no search endpoint is configured, and there is no moderator'
  return Promise.resolve(failed('nobody', { kind: 'bad-request', message }))
}
