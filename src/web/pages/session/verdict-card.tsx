/** The table's answer, on top as soon as it is there: the count in words, the report, and the warnings. */
import { readingsOf } from '../../../core/camps/readings.ts'
import { resolutionOf } from '../../../core/camps/resolution.ts'
import type { Report } from '../../../core/log/event.ts'
import { type Session, seatOf } from '../../../core/log/state.ts'
import { verdictOf } from '../../../core/verdict/verdict.ts'
import { toleranceText } from '../../../core/wording/figure-words.ts'
import { levelTitle, lineBeside } from '../../../core/wording/level-words.ts'
import { readingsTitle, readingTexts } from '../../../core/wording/reading-words.ts'
import { flagRemarks, problemRemarks, type Remark } from '../../../core/wording/remarks.ts'
import { reportParts } from '../../../core/wording/report-parts.ts'
import { othersOf, ruleLabel } from '../../../core/wording/rule-labels.ts'
import { reportTitle } from '../../../core/wording/session-title.ts'
import { Markdown } from '../../components/markdown.tsx'
import { HowOftenRight } from './how-often-right.tsx'
import { useStage } from './stage.ts'

export const VerdictCard = () => {
  const { session } = useStage()
  const verdict = verdictOf(session)
  const { report } = session
  const tolerance = verdict.final?.tolerance
  const right = resolutionOf(session)
  return (
    <section aria-labelledby="verdict" className="settling">
      <h2 id="verdict" className="label">
        {reportTitle(session.question.format).replace("'", '’')}
      </h2>
      {report && (
        <p className="said mt-1.5 text-2xl leading-snug font-semibold sm:text-3xl">{report.answer}</p>
      )}
      <p className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2">
        {verdict.level && (
          <span className="rounded-full bg-accent px-3 py-1 text-sm font-semibold text-on-accent">
            {levelTitle(verdict.level)}
          </span>
        )}
        <span className="min-w-0 wrap-anywhere">{lineBeside(verdict.level, verdict.line)}</span>
      </p>
      {tolerance && (
        <p className="mt-2 text-sm text-soft">{toleranceText(tolerance, session.question.unit)}</p>
      )}
      <HowOftenRight />
      {right && (
        <p className="mt-3">
          <span className="font-semibold text-good">✓ Right answer:</span>{' '}
          <span className="said">{right.answer}</span>
        </p>
      )}
      <Readings />
      {report && <ReportText report={report} />}
      <OtherRules />
      <Flags />
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
      <ul className="mt-1 list-inside list-disc">
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
  return reportParts(report, seat => seatOf(session, seat).name).map(({ id, title, text }) => {
    const Part = id === 'counterpoint' ? 'aside' : 'div'
    const edge = id === 'counterpoint' ? 'border-l-3 border-accent pl-4' : ''
    const first = id === 'summary' || id === 'reasons'
    return (
      <Part key={id} className={`mt-5 max-w-prose leading-relaxed ${first ? 'text-lg' : ''} ${edge}`}>
        {title && <h3 className="label mb-1">{title}</h3>}
        <Markdown text={text} />
      </Part>
    )
  })
}

/** Shown only if another rule would have come to another answer. */
const OtherRules = () => {
  const { session } = useStage()
  const verdict = verdictOf(session)
  const others = othersOf(verdict)
  if (others.length === 0) return null
  return (
    <div className="mt-5 text-sm">
      <p className="text-soft">Counted by: {ruleLabel(verdict.rule ?? '')}. Other rules would have said:</p>
      <ul className="mt-1 list-inside list-disc">
        {others.map(({ rule, answer }) => (
          <li key={rule}>
            <span className="text-soft">{rule}:</span> <span className="said">{answer}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Flags of the verdict, and what went wrong on the way. */
const remarksOn = (session: Session): Remark[] => [
  ...flagRemarks(verdictOf(session).flags),
  ...problemRemarks({ ...session, rejected: session.rejectedReports }),
]

/** What a reader must know; a click explains each. */
const Flags = () => {
  const { session } = useStage()
  const remarks = remarksOn(session)
  if (remarks.length === 0) return null
  return (
    <ul className="mt-5 flex flex-wrap gap-2" aria-label="What to know about this verdict">
      {remarks.map(({ head, words }, index) => (
        <li key={`${index} ${head}`}>
          <details className="group rounded-lg border border-line bg-wash text-sm open:max-w-md">
            <summary className="list-none px-2.5 py-1 font-medium">⚑ {head}</summary>
            <p className="px-2.5 pb-2 wrap-anywhere text-soft">{words}</p>
          </details>
        </li>
      ))}
    </ul>
  )
}
