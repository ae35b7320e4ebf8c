/** The audit log: who did what, when and from where, the newest first. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { timeText } from '../../../core/wording/dates.ts'
import { Button } from '../../components/button.tsx'
import { Problem } from '../../components/notice.tsx'
import { fetchAudit } from './requests.ts'
import { actorName, auditWords } from './words.ts'

export const useAudit = () =>
  useInfiniteQuery({
    queryKey: ['team', 'audit'],
    queryFn: ({ pageParam }) => fetchAudit(pageParam),
    initialPageParam: '',
    getNextPageParam: page => page.next ?? undefined,
  })

export const AuditLog = () => {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useAudit()
  const entries = data?.pages.flatMap(page => page.entries) ?? []
  return (
    <>
      <ol className="-my-2 divide-y divide-line text-sm">
        {entries.map((entry, index) => (
          <li key={index} className="grid gap-x-4 py-2 sm:grid-cols-[10rem_1fr_auto]">
            <time dateTime={entry.at} className="text-soft tabular-nums">
              {timeText(entry.at)}
            </time>
            <span className="min-w-0 wrap-anywhere">
              <span className="font-medium">{actorName(entry.who)}</span> {auditWords(entry)}
            </span>
            <span className="wrap-anywhere text-soft">from {entry.from}</span>
          </li>
        ))}
      </ol>
      {error && <Problem error={error} />}
      {hasNextPage && (
        <p className="mt-4 text-center">
          <Button disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
            Show older
          </Button>
        </p>
      )}
    </>
  )
}
