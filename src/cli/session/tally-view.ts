/** The count, sealed beside final, as small bars. */
import type { Camp } from '../../core/camps/camp.ts'
import { type Session, seatOf } from '../../core/log/state.ts'
import { absenceOf, type Tally } from '../../core/verdict/tally.ts'
import type { Verdict } from '../../core/verdict/verdict.ts'
import { compatibleWords } from '../../core/wording/camp-words.ts'
import { figureText, toleranceText } from '../../core/wording/figure-words.ts'
import { numberText } from '../../core/wording/values.ts'
import { cut, oneLine, padEnd, padStart, widthOf } from '../terminal/cells.ts'
import { hanging, type Look, paragraph, room } from '../terminal/look.ts'

const mostCells = 20

const barOf = (count: number, of: number): string => {
  const cells = Math.min(of, mostCells)
  const filled = count === 0 ? 0 : Math.max(1, Math.round((count / of) * cells))
  return '█'.repeat(filled) + '·'.repeat(cells - filled)
}

/** Camps of both counts, in the final order first; a camp that everybody left keeps its line. */
const campsOf = (sealed: Tally | null, final: Tally): Camp[] => {
  const left = sealed?.camps.filter(camp => !final.camps.some(one => one.id === camp.id)) ?? []
  return [...final.camps, ...left]
}

const countIn = (tally: Tally, id: string): number =>
  tally.camps.find(camp => camp.id === id)?.seats.length ?? 0

/** One cell each for bar and count: "████·· 4". */
const measure = (tally: Tally, camp: Camp): string =>
  `${barOf(countIn(tally, camp.id), tally.of)} ${padStart(String(countIn(tally, camp.id)), String(tally.of).length)}`

const campLines = (verdict: Verdict, sealed: Tally | null, final: Tally, look: Look): string[] => {
  const camps = campsOf(sealed, final)
  const bar = Math.min(final.of, mostCells) + 1 + String(final.of).length
  const space = room(look) - 3 - (sealed ? bar + 3 : 0) - bar - 2
  const label = Math.min(Math.max(...camps.map(camp => widthOf(oneLine(camp.label)))), space)
  return camps.flatMap(camp => {
    const mark = camp.id === verdict.leading ? '▸' : ' '
    const before = sealed ? `${look.paint.faint(measure(sealed, camp))} → ` : ''
    const line = ` ${mark} ${padEnd(cut(oneLine(camp.label), label), label)}  ${before}${measure(final, camp)}`
    return [line, ...compatibleLine(final, camp, look)]
  })
}

/** Under each camp that is compatible with another one. */
const compatibleLine = (final: Tally, camp: Camp, look: Look): string[] => {
  const words = compatibleWords(final, camp.id, ({ label }) => `“${cut(oneLine(label), 40)}”`)
  return words === '' ? [] : hanging('~', words, 5, look, look.paint.faint)
}

const absentLines = (session: Session, tally: Tally, look: Look): string[] => {
  const absent = [...tally.silent, ...tally.abstained]
  if (absent.length === 0) return []
  const names = absent.map(
    seat => `${oneLine(seatOf(session, seat).name)} (${absenceOf(session, tally.round, seat)})`,
  )
  return hanging('No answer:', names.join(', '), 3, look, look.paint.bad)
}

const combinedLine = (session: Session, tally: Tally): string => {
  if (tally.ranking) return tally.ranking.map(oneLine).join(' > ')
  if (tally.figure) return figureText(tally.figure, oneLine(session.question.unit ?? ''))
  return tally.median === undefined ? '' : numberText(tally.median, oneLine(session.question.unit ?? ''))
}

const combinedLines = (session: Session, sealed: Tally | null, final: Tally, look: Look): string[] => {
  const after = combinedLine(session, final)
  const before = sealed ? combinedLine(session, sealed) : after
  if (after === '') return []
  const label = session.question.format === 'ranking' ? 'Combined:' : 'Median:'
  return hanging(label, before === after ? after : `${before} → ${after}`, 3, look)
}

export const tallyView = (session: Session, verdict: Verdict, look: Look): string[] => {
  const { final } = verdict
  if (!final) return []
  const sealed = verdict.sealed && verdict.sealed.round !== final.round ? verdict.sealed : null
  return [
    ...(final.camps.length > 0 ? [look.paint.faint(`   ${sealed ? 'Camps, sealed → final' : 'Camps'}`)] : []),
    ...campLines(verdict, sealed, final, look),
    ...combinedLines(session, sealed, final, look),
    ...(final.tolerance
      ? paragraph(
          toleranceText(final.tolerance, oneLine(session.question.unit ?? '')),
          3,
          look,
          look.paint.faint,
        )
      : []),
    ...absentLines(session, final, look),
  ]
}
