/** Brave's search API. */
import { isFields, recordsIn, type SearchFormat, searchAddress } from './search-format.ts'

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
  '&#39;': "'",
  '&nbsp;': ' ',
}

/** Brave writes its excerpts for a web page. */
const plainText = (value: unknown): unknown =>
  typeof value === 'string'
    ? value
        .slice(0, 10_000)
        .replace(/<\/?(?:strong|b|em)>/g, '')
        .replace(/&(?:amp|lt|gt|quot|#x27|#39|nbsp);/g, entity => entities[entity] ?? entity)
    : value

/** It takes no longer queries. */
const mostWords = 50

export const brave: SearchFormat = {
  id: 'brave',
  label: 'Brave Search',
  home: 'https://api.search.brave.com/res/v1/web/search',
  request: (base, query, key = '') => ({
    method: 'GET',
    url: searchAddress(base, '/res/v1/web/search', {
      q: query.split(' ').slice(0, mostWords).join(' '),
      count: '10',
      text_decorations: 'false',
      extra_snippets: 'true',
    }),
    headers: { accept: 'application/json', 'x-subscription-token': key },
  }),
  results: ({ web, type }) => {
    // A search without a result has no part for web pages.
    if (web === undefined && type === 'search') return []
    return recordsIn(isFields(web) ? web.results : undefined)?.map(
      ({ url, title, description, extra_snippets: more, page_age: age }) => ({
        address: url,
        title: plainText(title),
        date: age,
        quotes: [description, ...(Array.isArray(more) ? more.slice(0, 10) : [])].map(plainText),
      }),
    )
  },
}
