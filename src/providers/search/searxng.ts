/** SearXNG, a search server of the person's own. Its settings must allow the format `json`. */
import { recordsIn, type SearchFormat, searchAddress } from './search-format.ts'

export const searxng: SearchFormat = {
  id: 'searxng',
  label: 'SearXNG',
  request: (base, query, key) => ({
    method: 'GET',
    url: searchAddress(base, '/search', { q: query, format: 'json' }),
    headers: { accept: 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
  }),
  results: ({ results }) =>
    recordsIn(results)?.map(({ url, title, content, publishedDate }) => ({
      address: url,
      title,
      date: publishedDate,
      quotes: [content],
    })),
}
