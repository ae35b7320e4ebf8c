/** Looks cited words up in the pages that they are said to be from. Each page is read once in a run. */
import type { StoredFile } from '../core/excerpts.ts'
import {
  type Answer,
  type Citation,
  type PageRead,
  pageToRead,
  picturesIn,
  pictureTokens,
  withPage,
} from '../core/question.ts'
import type { Session } from '../core/session.ts'
import type { CallPicture } from '../models/provider.ts'

/** Reads one page. Never throws: a page that can't be had is a value with the reason. */
export type ReadPage = (
  address: string,
  options: { readonly signal: AbortSignal; readonly from?: string },
) => Promise<PageRead>

export const guardedReadPage: ReadPage = async (address, options) =>
  (await import('../evidence/web.ts')).readPage(address, options)

export interface Pages {
  read(address: string): Promise<PageRead>
}

/** A table that cites without end must not fetch without end. */
const mostPages = 300
const mostAtOnce = 6

/** `from`: for whom the pages are read. */
export const pagesOf = (readPage: ReadPage, signal: AbortSignal, from: string): Pages => {
  const known = new Map<string, Promise<PageRead>>()
  let reading = 0
  const waiting: (() => void)[] = []
  const inTurn = async (address: string): Promise<PageRead> => {
    if (reading >= mostAtOnce) await new Promise<void>(resolve => waiting.push(resolve))
    reading++
    try {
      return await readPage(address, { signal, from })
    } finally {
      reading--
      waiting.shift()?.()
    }
  }
  return {
    async read(address) {
      const page = known.get(address)
      if (page) return page
      if (known.size >= mostPages) return { unreachable: `more than ${mostPages} pages are cited` }
      const begun = inTurn(address)
      known.set(address, begun)
      return begun
    },
  }
}

/** For calls in which nobody cites anything. */
export const noPages: Pages = { read: async () => ({ unreachable: notFetched }) }

export const notFetched = 'pages are not fetched in this session'

/** The page, unless the asker doesn't want pages to be fetched. */
export const pageIn = async (pages: Pages, { fetch }: Pick<Session, 'fetch'>, address: string) =>
  fetch === false ? { unreachable: notFetched } : pages.read(address)

export const notFound = 'no search of this session found this page, so it is not fetched'

/**
 * The pages that may be fetched for an answer: those that a search reported. A hostile text could have a seat cite an address
 * that carries the question, or an attachment, to whoever wrote it.
 */
const reported = ({ sources = [] }: Session, { found = [] }: Pick<Answer, 'found'>): Set<string> =>
  new Set([...sources, ...found].map(({ address }) => new URL(address).href))

/** The answer with its citations looked up in their pages, as the log keeps it: nothing is fetched a second time. */
export const withCitedPages = async <T extends Pick<Answer, 'citations' | 'found'>>(
  pages: Pages,
  session: Session,
  answer: T,
): Promise<T> => {
  if (!answer.citations?.some(one => pageToRead(one) !== undefined)) return answer
  const known = reported(session, answer)
  const citations = await Promise.all(
    answer.citations.map(async (one): Promise<Citation> => {
      const address = pageToRead(one)
      if (address === undefined) return one
      const page = known.has(address) ? await pageIn(pages, session, address) : { unreachable: notFound }
      return withPage(one, page)
    }),
  )
  return { ...answer, citations }
}

// pictures: The pictures of a question for a seat that sees, read from beside the log each time: a run may be resumed anywhere.

/** The bytes of a file of a session. */
export type FileOf = (session: string, sha256: string) => Promise<StoredFile | undefined>

/** Undefined if there are none. `missing`: one that isn't there, as a session may be imported without its files. */
export const picturesFor = async (
  { id, question }: Session,
  file: FileOf | undefined,
): Promise<readonly CallPicture[] | { readonly missing: string } | undefined> => {
  const found: CallPicture[] = []
  for (const { exhibit, name, sha256, media, ...size } of picturesIn(question.attachments)) {
    const data = sha256 === undefined ? undefined : (await file?.(id, sha256))?.data
    if (data === undefined) return { missing: name }
    found.push({ exhibit, media, data, tokens: pictureTokens(size) })
  }
  return found.length > 0 ? found : undefined
}
