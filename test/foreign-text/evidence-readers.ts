/** What reads the texts of files, and the words that seats cite from them. */
import { citationsFrom } from '../../src/core/question/citation.ts'
import { passageOf } from '../../src/core/question/passage.ts'
import { fileName } from '../../src/evidence/index.ts'
import { kindOf } from '../../src/evidence/kinds.ts'
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
  reads('fileName', fileName, '/', '\\'),
  reads('kindOf', text => kindOf(text, new Uint8Array([97])), '.'),
]
