/** What reads the texts of files, and the words that seats cite from them. */
import { passageOf } from '../../src/core/excerpts.ts'
import { citationsFrom, foundPages, queryFor, sourcesFrom } from '../../src/core/question.ts'
import { fileName, kindOf } from '../../src/evidence/files.ts'
import { searchFormats } from '../../src/evidence/search.ts'
import { allowsReading } from '../../src/evidence/web.ts'
import { pagesIn } from '../../src/models/chat-reply.ts'
import { type ForeignReader, reads } from './reader.ts'

const cited = 'The bridge is too old'
const exhibit = (text: string) => ({ name: 'a.txt', text })

export const evidenceReaders: readonly ForeignReader[] = [
  reads(
    'citationsFrom, exhibit',
    text => citationsFrom([{ exhibit: 1, quote: cited }], { exhibits: [exhibit(text)] }),
    '\n',
  ),
  reads(
    'citationsFrom, quote',
    text => citationsFrom([{ exhibit: text, quote: text }], { exhibits: [exhibit(cited)] }),
    '1',
  ),
  reads('passageOf, text', text => passageOf(text, cited), '\n'),
  reads('passageOf, quote', text => passageOf(cited, text)),
  reads(
    'sourcesFrom',
    text => sourcesFrom([{ address: text, title: text, date: text, quotes: [text] }]),
    '/',
    ' ',
  ),
  reads('sourcesFrom, address', text => sourcesFrom([{ address: `https://a.example/${text}` }]), '/', '%'),
  reads('queryFor', queryFor, ' ', '\n'),
  reads('citationsFrom, source', text =>
    citationsFrom([{ exhibit: 1, quote: text, address: text }], {
      exhibits: [],
      sources: [{ address: 'https://a.example/', title: '', quotes: [cited] }],
      web: true,
    }),
  ),
  ...searchFormats.map(({ id, results }) =>
    reads(
      `results of ${id}`,
      text =>
        results({
          results: [{ url: text, title: text, content: text }],
          web: { results: [{ url: text, title: text, description: text, extra_snippets: [text] }] },
        }),
      ' [...] ',
      '<strong>',
      '&amp;',
    ),
  ),
  reads('foundPages', text => foundPages([{ address: text, title: text }]), '/'),
  reads('pagesIn', text => pagesIn([{ type: 'url_citation', url_citation: { url: text, title: text } }])),
  reads(
    'allowsReading',
    text =>
      allowsReading(
        new URL('https://a.example/robots.txt'),
        new TextEncoder().encode(`User-agent: *\nDisallow: ${text.slice(0, 200_000)}`),
        new URL('https://a.example/a/b/c'),
      ),
    '*',
    '\nDisallow: /*',
  ),
  reads('fileName', fileName, '/', '\\'),
  reads('kindOf', text => kindOf(text, new Uint8Array([97])), '.'),
]
