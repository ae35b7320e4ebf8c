/** The session on paper: one column in the order of a transcript. Shown only when the page is printed. */
import { answerIn, type Session } from '../../../core/log/state.ts'
import { verdictOf } from '../../../core/verdict/verdict.ts'
import { betweenRoundsOf, namesIn } from '../../../core/wording/between-rounds.ts'
import { models } from '../../../core/wording/numbers.ts'
import { absences } from '../../../core/wording/verdict-line.ts'
import { Markdown } from '../../components/markdown.tsx'
import { kindOf } from './wording.ts'

const Response = ({ session, seat }: { session: Session; seat: Session['seats'][number] }) => {
  const verdict = verdictOf(session)
  const round = session.roundsSoFar.find(one => one.index === verdict.final?.round)
  const answer = answerIn(round, seat.id)
  const changed = verdict.ledger.some(flip => flip.seat === seat.id)
  return (
    <section className="mt-6">
      <h3 className="font-semibold break-after-avoid">
        {seat.name}
        {changed && ' (changed mind)'}
      </h3>
      {answer ? (
        <>
          <p className="said mt-1 font-semibold">Answer: {answer.headline}</p>
          <div className="mt-2 text-[.95rem] leading-relaxed">
            <Markdown text={answer.text ?? answer.reasoning} language={answer.language} />
          </div>
        </>
      ) : (
        <p className="mt-1">No answer.</p>
      )}
    </section>
  )
}

export const PrintView = ({ session }: { session: Session }) => {
  const verdict = verdictOf(session)
  const missing = verdict.final && !session.imported ? absences(session, verdict.final) : ''
  return (
    <article className="hidden print:block">
      <h1 className="text-sm">
        AI Roundtable {kindOf(session)} · {models(session.seats.length)}
      </h1>
      <p className="said mt-4 text-xl whitespace-pre-wrap">{session.question.text}</p>
      {session.report && (
        <p className="said mt-4 text-lg font-semibold">
          Answer: {session.report.answer} ({verdict.line})
        </p>
      )}
      <h2 className="mt-8 text-lg font-semibold">Model Responses</h2>
      {session.seats.map(seat => (
        <Response key={seat.id} session={session} seat={seat} />
      ))}
      <h2 className="mt-8 text-lg font-semibold">Final Summary</h2>
      {session.report && (
        <div className="mt-2">
          <Markdown text={session.report.summary} />
        </div>
      )}
      {session.report?.counterpoint && (
        <p className="said mt-3">Counterpoint: {session.report.counterpoint}</p>
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
