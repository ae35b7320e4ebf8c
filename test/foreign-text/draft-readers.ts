/** What is shown while models write, in drawings, in lists and in searches. */
import { campNumbers } from '../../src/count/moves.ts'
import { pathAfterLogin } from '../../src/http/guards.ts'
import { withoutParameters } from '../../src/http/log.ts'
import { isDrawable, linesOf, pictureSvg, textWidth } from '../../src/http/shared-page.ts'
import { draftReader, replyCount, reportPieces, tokensIn } from '../../src/run/reply.ts'
import { canWrite } from '../../src/table/reach.ts'
import { directionOf } from '../../src/web/kit/controls.tsx'
import { shortened } from '../../src/web/session/headline.tsx'
import { shape, svgText } from '../../src/words/camp-patterns.ts'
import { passageOf } from '../../src/words/passage.ts'
import { flowDrawing, tableDrawing } from '../../src/words/pictures.ts'
import { draftWords, sentenceAt } from '../../src/words/words.ts'
import { table } from '../contracts/core-testing.ts'
import { type ForeignReader, pushed, reads, sessionOf } from './reader.ts'

const { session } = table({ seats: 3 }).round(0, ['Build it.', 'Wait.', 'Build it.'])

const drawn = (text: string) => {
  const one = { ...session, seats: session.seats.map(seat => ({ ...seat, name: text, alias: text })) }
  const numbers = campNumbers(one)
  return [tableDrawing(one, numbers), flowDrawing(one, numbers)].map(drawing => drawing && svgText(drawing))
}

const draft = (text: string) => ({
  ...{ round: 0, thinking: text, points: text, reasoning: text, text: '', headline: '' },
})

export const draftReaders: readonly ForeignReader[] = [
  reads(
    'reportPieces',
    text => {
      const { onDelta } = reportPieces(session, () => {})
      pushed(text, piece => onDelta('reasoning', piece))
    },
    '{',
    'Seats A and ',
  ),
  reads(
    'draftReader',
    text => {
      const reader = draftReader({ onDelta() {} })
      pushed(text, piece => reader.push(piece))
    },
    '{"reasoning":"',
    '{"points":[{"quote":"',
  ),
  reads('tokensIn', tokensIn),
  reads('replyCount', text => {
    const count = replyCount(wanted => wanted)
    pushed(text, piece => count.take(piece))
  }),
  reads('sentenceAt', sentenceAt, '. '),
  reads('draftWords', text => draftWords(draft(text))),
  reads('passageOf, text', text => passageOf([{ text }], 'tuner of pianos'), 'tuner '),
  reads('passageOf, words', text => passageOf([{ text: 'A tuner of pianos.' }], text), 'tuner '),
  reads('svgText', text => svgText(shape('text', { 'aria-label': text }, text)), '&'),
  reads('drawings', drawn),
  reads('pictureSvg', text => pictureSvg(sessionOf(text).session), 'var(--'),
  reads('isDrawable', isDrawable, 'a'),
  reads('linesOf', text => linesOf(text, 40, 600, 5), 'a '),
  reads('textWidth', text => textWidth(text, 40)),
  reads('canWrite', canWrite),
  reads('withoutParameters', withoutParameters, 'Failed query: '),
  reads('pathAfterLogin', pathAfterLogin, '/', '/.', '/?'),
  reads('directionOf', directionOf),
  reads('shortened for a page', text => shortened(text, 5_000), '. '),
]
