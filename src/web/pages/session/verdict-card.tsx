/** The table's answer, on top as soon as it is there: the count in words, the report, and what to beware of. */
import { wordingOf } from '../../../core/errors.ts'
import type { Report } from '../../../core/log/event.ts'
import type { Session } from '../../../core/log/state.ts'
import { flags, verdictOf } from '../../../core/verdict/verdict.ts'
import { othersOf, ruleLabel } from '../../../core/wording/rule-labels.ts'
import { Markdown } from '../../components/markdown.tsx'
import { useStage } from './stage.ts'
import { levelWords, lineBeside } from './wording.ts'

export const VerdictCard = () => {
  const { session } = useStage()
  const verdict = verdictOf(session)
  const { report } = session
  return (
    <section aria-labelledby="verdict" className="settling">
      <h2 id="verdict" className="label">
        The table’s answer
      </h2>
      {report && (
        <p className="said mt-1.5 text-2xl leading-snug font-semibold sm:text-3xl">{report.answer}</p>
      )}
      <p className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2">
        {verdict.level && (
          <span className="rounded-full bg-accent px-3 py-1 text-sm font-semibold text-on-accent">
            {levelWords[verdict.level]}
          </span>
        )}
        <span className="min-w-0 wrap-anywhere">{lineBeside(verdict.level, verdict.line)}</span>
      </p>
      {session.resolved && (
        <p className="mt-3">
          <span className="font-semibold text-good">✓ Resolved:</span>{' '}
          <span className="said">{session.resolved.answer}</span>
        </p>
      )}
      {report && <ReportText report={report} />}
      <OtherRules />
      <Flags />
    </section>
  )
}

const ReportText = ({ report }: { report: Report }) => (
  <>
    <div className="mt-5 max-w-prose text-lg leading-relaxed">
      <Markdown text={report.summary} />
    </div>
    {report.counterpoint && (
      <aside className="mt-5 max-w-prose border-l-3 border-accent pl-4">
        <h3 className="label">Counterpoint</h3>
        <div className="mt-1 leading-relaxed">
          <Markdown text={report.counterpoint} />
        </div>
      </aside>
    )}
  </>
)

/** Shown only where another rule would have come to another answer. */
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

interface Remark {
  readonly head: string
  readonly words: string
}

/** Flags of the verdict, and what went wrong on the way, in the words of whoever failed. */
const remarksOn = (session: Session): Remark[] => [
  ...verdictOf(session).flags.map(flag => ({ head: flag, words: flags[flag] })),
  ...session.failures.map(({ task, error }) => ({
    head: `moderator failed (${task})`,
    words: `${wordingOf(error.kind).short}: ${error.message}`,
  })),
  ...session.rejectedReports.map(words => ({ head: 'report turned down', words })),
  ...(session.stopped ? [{ head: `stopped (${session.stopped.reason})`, words: session.stopped.words }] : []),
]

/** What a reader must know, each with its explanation one press away. */
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
