/** Checks the setup: what came out in a sentence, what is wrong, and in details all findings of `roundtable doctor`. */
import { useQuery } from '@tanstack/react-query'
import { checkSettings, fetchLineups } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Problem } from '../../components/notice.tsx'
import { checkupWords, type SetupFinding } from './checkup-words.ts'

const marks = { good: '✓', bad: '✕', note: '·' } as const
const colours = { good: 'text-good', bad: 'text-bad', note: 'text-soft' } as const

const Findings = ({ findings }: { findings: readonly SetupFinding[] }) => (
  <ul className="space-y-2">
    {findings.map(({ subject, state, words, advice, key }) => (
      <li key={subject} className="flex gap-2">
        <span className={`font-semibold ${colours[state]}`}>
          <span aria-hidden="true">{marks[state]}</span>
          <span className="sr-only">{state}: </span>
        </span>
        <span className="min-w-0 wrap-anywhere">
          <strong className="font-medium">{subject}</strong>
          {key && <code className="ml-2 text-xs text-soft">{key}</code>}: {words}
          {advice && <span className="block text-soft">{advice}</span>}
        </span>
      </li>
    ))}
  </ul>
)

const Found = ({ findings }: { findings: readonly SetupFinding[] }) => {
  const { data } = useQuery({ queryKey: ['lineups'], queryFn: fetchLineups })
  const wrong = findings.filter(({ state }) => state === 'bad')
  return (
    <div className="space-y-3 text-sm">
      <p>{checkupWords(findings, data?.usual.seats.length)}</p>
      {wrong.length > 0 && <Findings findings={wrong} />}
      <details>
        <summary className="w-fit font-medium text-soft">Technical details</summary>
        <div className="mt-2">
          <Findings findings={findings} />
        </div>
      </details>
    </div>
  )
}

export const Checkup = () => {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['settings', 'check'],
    queryFn: checkSettings,
    enabled: false,
    retry: false,
  })
  return (
    <div className="space-y-3">
      <Button disabled={isFetching} onClick={() => refetch()}>
        {isFetching ? 'Checking…' : 'Check the setup'}
      </Button>
      {error && <Problem error={error} />}
      <div aria-live="polite">{data?.findings && <Found findings={data.findings} />}</div>
    </div>
  )
}
