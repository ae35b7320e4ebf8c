/** The table's answer, on top as soon as it is there: the count in words, the report, and what to beware of. */
import type { Report } from '../../../core/event.ts'
import { flags, verdictOf } from '../../../core/verdict.ts'
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

/** What a reader must know, each with its explanation one press away. */
const Flags = () => {
  const { session } = useStage()
  const { flags: found } = verdictOf(session)
  if (found.length === 0) return null
  return (
    <ul className="mt-5 flex flex-wrap gap-2" aria-label="What to know about this verdict">
      {found.map(flag => (
        <li key={flag}>
          <details className="group rounded-lg border border-line bg-wash text-sm open:max-w-md">
            <summary className="list-none px-2.5 py-1 font-medium">⚑ {flag}</summary>
            <p className="px-2.5 pb-2 text-soft">{flags[flag]}</p>
          </details>
        </li>
      ))}
    </ul>
  )
}
