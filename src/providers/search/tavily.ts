/** Tavily's search API. */
import { recordsIn, type SearchFormat, searchAddress } from './search-format.ts'

/** It puts several passages of a page into one text. */
const passages = (content: unknown): unknown[] =>
  typeof content === 'string' ? content.slice(0, 20_000).split(/ ?\[\.\.\.\] ?/) : []

export const tavily: SearchFormat = {
  id: 'tavily',
  label: 'Tavily',
  home: 'https://api.tavily.com',
  request: (base, query, key = '') => ({
    method: 'POST',
    url: searchAddress(base, '/search', {}),
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
    },
    body: JSON.stringify({ query, max_results: 10, search_depth: 'basic' }),
  }),
  results: ({ results }) =>
    recordsIn(results)?.map(({ url, title, content, published_date: date }) => ({
      address: url,
      title,
      date,
      quotes: passages(content),
    })),
}
