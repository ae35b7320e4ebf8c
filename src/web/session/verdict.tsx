/** The one act that helps a session that ended without a verdict or before its time. */
import { listed } from '../../core/basics.ts'
import type { Report } from '../../core/event.ts'
import { latestRound, type Session, seatOf } from '../../core/session.ts'
import { readingsOf, resolutionOf } from '../../count/moves.ts'
import { howOftenRight } from '../../count/splits.ts'
import { toleranceText } from '../../count/tally.ts'
import { disagreeing, verdictOf } from '../../count/verdict.ts'
import { shortVerdictLine } from '../../count/verdict-line.ts'
import {
  changedSentence,
  type Ending,
  type EndingAct,
  endedWords,
  endingOf,
  readingsTitle,
  readingTexts,
  saidByEnding,
} from '../../words/moves.ts'
import { reportTitle } from '../../words/story.ts'
import {
  careRemarks,
  careSentence,
  howOftenRightSentence,
  reportParts,
  sureSentence,
} from '../../words/words.ts'
import { resumeSession, retrySeat } from '../kit/api.ts'
import { CopyButton, directionOf } from '../kit/controls.tsx'
import { Button, Problem } from '../kit/frame.tsx'
import { useMutation } from '../kit/mutation.ts'
import { LateMarkdown, LevelBadge } from '../kit/session-parts.tsx'
import { Result } from './result.tsx'
import { useAskAnother, useStage } from './stage.tsx'

const labels: Record<EndingAct, string> = {
  'ask silent seats': 'Ask the silent seats again',
  resume: 'Resume',
  'larger budget': 'Ask again with a larger budget',
  'another table': 'Ask another table',
}

export const EndingAction = ({ act }: { act: EndingAct }) => {
  const { session, live, may } = useStage()
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      if (act === 'resume') return resumeSession(session.id)
      const round = latestRound(session)
      const silent = session.seats.filter(({ id }) => round?.handedIn[id]?.status === 'silent')
      for (const { id } of silent) await retrySeat(session.id, id)
    },
    onSuccess: () => live.watch(),
  })
  const askAnother = useAskAnother()
  const asks = act === 'larger budget' || act === 'another table'
  if (!may(asks ? 'fork-session' : 'change-session')) return null
  return (
    <div className="mt-3 space-y-2">
      <Button kind="primary" disabled={isPending} onClick={() => (asks ? askAnother() : mutate())}>
        {labels[act]}
      </Button>
      {error && <Problem error={error} />}
    </div>
  )
}

// howOftenRight: How sure the seats are, and how often tables with such a sealed vote were right. Nothing for opinions.

export const HowOftenRight = () => {
  const { session } = useStage()
  const signal = howOftenRight(session)
  const words = [sureSentence(session), signal && howOftenRightSentence(signal)].filter(Boolean)
  if (words.length === 0) return null
  return (
    <p className="mt-2 max-w-prose text-sm text-soft" title={signal?.source}>
      {words.join(' ')}
    </p>
  )
}

// verdictCard: The table's answer, on top as soon as it is there: the count in words, the report, and the warnings.

/** Real answers are whole sentences: the longer they are, the smaller their type, so that the verdict stays on the screen. */
const answerSize = (answer: string): string => {
  if (answer.length <= 80) return 'text-2xl leading-snug font-semibold sm:text-3xl'
  if (answer.length <= 180) return 'text-xl leading-snug font-semibold sm:text-2xl'
  return 'text-lg leading-relaxed font-medium sm:text-xl sm:leading-relaxed'
}

/** More names would hide the count. */
const mostDissenters = 2

/** "; Mistral Medium 3.1 disagrees": few dissenters are named where the agreement is counted. */
const dissentWords = (session: Session): string => {
  const names = disagreeing(session).map(seat => seatOf(session, seat).name)
  if (names.length === 0 || names.length > mostDissenters) return ''
  return `; ${listed(names)} ${names.length === 1 ? 'disagrees' : 'disagree'}`
}

const Counted = ({ ending }: { ending: Ending | undefined }) => {
  const { session } = useStage()
  const verdict = verdictOf(session)
  const { level, of } = verdict
  const words = (level === 'no-quorum' && ending?.words) || shortVerdictLine(session, verdict)
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2">
      <LevelBadge
        level={level}
        alone={of === 1}
        words={level ? endedWords(session, level) : undefined}
        imported={session.imported !== undefined}
      />
      <p className="min-w-0 wrap-anywhere">
        {session.imported && 'The transcript says: '}
        {words}
        {dissentWords(session)}
      </p>
    </div>
  )
}

/** In two parts, so that on a phone the drawn table stands between the answer and the long text. */
export const VerdictCard = () => {
  const { session } = useStage()
  const verdict = verdictOf(session)
  const ending = endingOf(session)
  const right = resolutionOf(session)
  const changed = changedSentence(session)
  // Without a quorum, code's report says the same again in other words.
  const report = verdict.level === 'no-quorum' && session.reportBy === 'code' ? undefined : session.report
  return (
    <section aria-labelledby="verdict" className="contents">
      <div className="settling order-1 min-w-0 lg:order-none lg:col-start-1 lg:row-start-1">
        <h2 id="verdict" className="label">
          {session.question.format === 'text' && session.reportBy === 'code'
            ? 'The result'
            : reportTitle(session.question.format, verdict.level).replace("'", '’')}
        </h2>
        <Counted ending={ending} />
        {changed && (
          <p className="mt-1 wrap-anywhere text-soft">
            {verdict.flips > 0 && <span aria-hidden="true">↷ </span>}
            {changed}
          </p>
        )}
        {ending?.words && verdict.level !== 'no-quorum' && <p className="mt-2 font-medium">{ending.words}</p>}
        {report && (
          <p className={`said mt-3 max-w-prose ${answerSize(report.answer)}`} dir="auto">
            {report.answer}
          </p>
        )}
        {report && (
          <p className="mt-1 -ml-2.5 print:hidden">
            <CopyButton
              label="Copy answer"
              text={() => `${session.question.text}\n\n${report.answer}\n${verdict.line}`}
            />
          </p>
        )}
        {ending && <EndingAction act={ending.act} />}
        <HowOftenRight />
        {right && (
          <p className="mt-3">
            <span className="font-semibold text-good">✓ Right answer:</span>{' '}
            <span className="said" dir="auto">
              {right.answer}
            </span>
          </p>
        )}
        <Care />
        <Result />
        {session.question.format === 'number' && verdict.leading !== null && (
          <p className="mt-2 text-sm text-soft">
            {toleranceText(verdict.final?.tolerance, session.question.unit)}
          </p>
        )}
      </div>
      <div className="settling order-3 min-w-0 lg:order-none lg:col-start-1 lg:row-start-2">
        <Readings />
        {report && <ReportText report={report} />}
        {verdict.asides.map(aside => (
          <p key={aside} className="mt-5 text-sm text-soft" dir="auto">
            {aside}
          </p>
        ))}
      </div>
    </section>
  )
}

/** Shown only if the table is split and reads the question in different ways. */
const Readings = () => {
  const { session } = useStage()
  const texts = readingTexts({
    level: verdictOf(session).level,
    readings: readingsOf(session),
    name: seat => seatOf(session, seat).name,
  })
  if (texts.length === 0) return null
  return (
    <div className="mt-4 max-w-prose">
      <p className="font-semibold">{readingsTitle}:</p>
      <ul className="mt-1 list-disc space-y-1 px-5">
        {texts.map(({ reading, who }) => (
          <li key={`${who} ${reading}`} dir="auto" className="wrap-anywhere">
            <span className="said">{reading}</span> <span className="text-soft">({who})</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The parts that follow the answer. The counterpoint stands out, because it speaks against it. */
const ReportText = ({ report }: { report: Report }) => {
  const { session } = useStage()
  const { line } = verdictOf(session)
  const parts = reportParts(report, seat => seatOf(session, seat).name)
  const shown = parts.map(({ id, title, text: whole }) => {
    // Code's own report begins with the line that stands above it.
    const text =
      session.reportBy === 'code' && whole.startsWith(line)
        ? whole.slice(line.length).replace(/^\.\s*/, '')
        : whole
    if (text === '') return null
    const Part = id === 'counterpoint' ? 'aside' : 'div'
    const edge = id === 'counterpoint' ? 'border-s-3 border-accent ps-4' : ''
    const first = id === 'summary' || id === 'reasons'
    return (
      <Part
        key={id}
        dir={directionOf(text)}
        className={`mt-5 max-w-prose leading-relaxed first:mt-0 ${first ? 'text-lg' : ''} ${edge}`}
      >
        {title && <h3 className="label mb-1">{title}</h3>}
        <LateMarkdown text={text} />
      </Part>
    )
  })
  return (
    <>
      {shown}
      {session.reportBy === 'code' && (
        <p className="mt-4 text-sm text-soft">Code wrote this report, without a moderator.</p>
      )}
    </>
  )
}

/** What a reader must know, in one sentence; a click explains it. */
const Care = () => {
  const { session } = useStage()
  const said = saidByEnding(session)
  const all = careRemarks(verdictOf(session).flags, { ...session, rejected: session.rejectedReports })
  // That nobody moderated isn't a warning: the report says so itself.
  const known = session.rejectedReports.length === 0 ? [...said, 'report by code'] : said
  const remarks = all.filter(({ head }) => !known.includes(head))
  const sentence = careSentence(remarks)
  if (!sentence) return null
  return (
    <details className="mt-4 max-w-prose rounded-lg border border-line bg-wash text-sm">
      <summary className="px-3 py-2 font-medium wrap-anywhere">{sentence}</summary>
      <dl className="space-y-2 px-3 pt-1 pb-3" aria-label="What to know about this verdict">
        {remarks.map(({ head, phrase, words }, index) => (
          <div key={`${index} ${head}`}>
            <dt className="font-medium first-letter:uppercase">{phrase}</dt>
            <dd className="wrap-anywhere text-soft" dir="auto">
              {words}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
