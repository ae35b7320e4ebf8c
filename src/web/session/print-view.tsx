/** The session on paper: one column in the order of a transcript. Shown only when the page is printed. */
import { models } from '../../core/basics.ts'
import type { Point } from '../../core/question.ts'
import { answerIn, type Session, seatOf } from '../../core/session.ts'
import { campNumbers, hasCamps, moveOf } from '../../count/moves.ts'
import { verdictOf } from '../../count/verdict.ts'
import { absences } from '../../count/verdict-line.ts'
import { linkNotes } from '../../words/asking.ts'
import {
  betweenRoundsOf,
  creditWords,
  namesIn,
  ownWordLine,
  pointsTitle,
  quoteWords,
  readingLabel,
} from '../../words/moves.ts'
import { flowDrawing, tableDrawing } from '../../words/pictures.ts'
import { reportParts } from '../../words/words.ts'
import { Drawing } from '../kit/frame.tsx'
import { Markdown } from '../kit/markdown.tsx'
import { kindOf } from './stage.tsx'

const PrintedPoints = ({ session, points }: { session: Session; points: readonly Point[] }) =>
  points.length > 0 && (
    <>
      <p className="mt-2 font-semibold break-after-avoid">{pointsTitle}</p>
      <ul className="list-disc pl-5 text-[.95rem]">
        {points.map(({ seat, quote, verified, judgement, why }, index) => (
          <li key={`${index} ${seat}`} className="mt-1">
            {seatOf(session, seat).name}: <span className="said">“{quote}”</span> ({quoteWords(verified)}):{' '}
            <span className="font-semibold">{judgement}</span>. <span className="said">{why}</span>
          </li>
        ))}
      </ul>
    </>
  )

const Response = ({ session, seat }: { session: Session; seat: Session['seats'][number] }) => {
  const verdict = verdictOf(session)
  const round = session.roundsSoFar.find(one => one.index === verdict.final?.round)
  const answer = answerIn(round, seat.id)
  const said =
    answer && round && ownWordLine(answer, session.imported ? null : moveOf(session, round, seat.id))
  const changed = verdict.ledger.some(flip => flip.seat === seat.id)
  return (
    <section className="mt-6">
      <h3 className="font-semibold break-after-avoid">
        {seat.alias} · {seat.name}
        {changed && ' (changed its mind)'}
      </h3>
      {answer ? (
        <>
          <p className="said mt-1 font-semibold">Answer: {answer.headline}</p>
          {answer.reading && (
            <p className="mt-1">
              {readingLabel}: <span className="said">{answer.reading}</span>
            </p>
          )}
          {said && <p className="mt-1 first-letter:uppercase">{said}</p>}
          {said && answer.credit && (
            <p className="mt-1">
              <span className="said">“{answer.credit.quote}”</span> —{' '}
              {seatOf(session, answer.credit.seat).name}, {creditWords(answer.credit.verified)}
            </p>
          )}
          <div className="mt-2 text-[.95rem] leading-relaxed">
            <Markdown text={answer.text ?? answer.reasoning} language={answer.language} />
          </div>
          <PrintedPoints session={session} points={answer.points ?? []} />
        </>
      ) : (
        <p className="mt-1">No answer.</p>
      )}
    </section>
  )
}

/** Nobody grouped the answers of an imported transcript: a drawing of camps would claim it. */
const Drawings = ({ session }: { session: Session }) => {
  if (session.imported || !hasCamps(session) || session.roundsSoFar.length === 0) return null
  const numbers = campNumbers(session)
  const flow = flowDrawing(session, numbers)
  return (
    <div className="mt-6 flex items-center gap-6 break-inside-avoid [print-color-adjust:exact]">
      <Drawing shape={tableDrawing(session, numbers)} className="w-1/2 max-w-[20rem] grow" />
      {flow && <Drawing shape={flow} className="w-1/2 grow" />}
    </div>
  )
}

export default function PrintView({ session }: { session: Session }) {
  const verdict = verdictOf(session)
  const missing = verdict.final && !session.imported ? absences(session, verdict.final) : ''
  return (
    <article className="hidden print:block">
      <h1 className="text-sm">
        AI Roundtable {kindOf(session)} · {models(session.seats.length)}
      </h1>
      <p className="said mt-4 text-xl whitespace-pre-wrap">{session.question.text}</p>
      {linkNotes(session).map(note => (
        <p key={note} className="mt-2 text-sm">
          {note}
        </p>
      ))}
      {session.report && (
        <p className="said mt-4 text-lg font-semibold">
          Answer: {session.report.answer} ({verdict.line})
        </p>
      )}
      <Drawings session={session} />
      <h2 className="mt-8 text-lg font-semibold">Model Responses</h2>
      {session.seats.map(seat => (
        <Response key={seat.id} session={session} seat={seat} />
      ))}
      <h2 className="mt-8 text-lg font-semibold">Final Summary</h2>
      {session.report &&
        reportParts(session.report, seat => seatOf(session, seat).name).map(({ id, title, text }) =>
          id === 'counterpoint' ? (
            <div key={id} className="mt-3">
              <h3 className="font-semibold">{title}:</h3>
              <Markdown text={text} />
            </div>
          ) : (
            <div key={id} className="mt-2">
              {title && <h3 className="font-semibold">{title}</h3>}
              <Markdown text={text} />
            </div>
          ),
        )}
      <p className="mt-4 font-semibold">{verdict.line}</p>
      {session.roundsSoFar
        .flatMap(round => betweenRoundsOf(round, namesIn(session, round)))
        .map(({ who, words }, index) => (
          <p key={`${index} ${who}`} className="mt-3 whitespace-pre-wrap">
            <span className="font-semibold">{who}:</span> <span className="said">{words}</span>
          </p>
        ))}
      {missing && !verdict.line.includes(missing) && <p>{missing}</p>}
    </article>
  )
}
