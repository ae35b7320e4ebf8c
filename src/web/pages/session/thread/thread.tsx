/** The whole thread at the end of the page: what this session follows, and what follows it. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { depthIn, linkTitles, threadTitle } from '../../../../core/wording/thread-words.ts'
import { fetchThread } from '../../../api.ts'
import { useStage } from '../stage.ts'

/** Rem. Deeper ones would leave no room for words on a phone. */
const deepest = 6

export const Thread = () => {
  const { session, readOnly } = useStage()
  const { data } = useQuery({
    queryKey: ['thread', session.id],
    queryFn: () => fetchThread(session.id),
    enabled: !readOnly,
  })
  const thread = data?.sessions ?? []
  if (thread.length < 2) return null
  return (
    <section aria-labelledby="thread" className="space-y-4">
      <h2 id="thread" className="said text-2xl font-semibold">
        {threadTitle}
      </h2>
      <ol className="card divide-y divide-line">
        {thread.map(one => {
          const isHere = one.id === session.id
          return (
            <li
              key={one.id}
              aria-current={isHere ? 'page' : undefined}
              className="p-3 sm:p-4"
              style={{ paddingInlineStart: `${1 + Math.min(deepest, depthIn(thread, one))}rem` }}
            >
              <p className="text-xs text-soft">
                {one.link ? linkTitles[one.link] : 'First question'}
                {isHere && ' · this session'}
              </p>
              <p className="said wrap-anywhere" dir="auto">
                {isHere ? (
                  <span className="font-semibold">{one.question}</span>
                ) : (
                  <Link to="/s/$id" params={{ id: one.id }} className="hover:underline">
                    {one.question}
                  </Link>
                )}
              </p>
              <p className="text-sm wrap-anywhere text-soft">{one.line ?? 'still running'}</p>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
