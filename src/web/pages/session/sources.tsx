/** What the web search found for all seats. Titles and quotes are strangers' words, and stay text. */
import type { Source } from '../../../core/question/source.ts'
import { failureWords } from '../../../core/wording/handed-in.ts'
import { sourceHead, sourcesTitle } from '../../../core/wording/source-words.ts'
import { useStage } from './stage.ts'

const Entry = ({ source, head }: { source: Source; head: string }) => (
  <li className="wrap-anywhere" dir="auto">
    {head}:{' '}
    <a
      className="underline decoration-soft underline-offset-3 hover:text-ink"
      href={source.address}
      target="_blank"
      rel="noopener noreferrer"
    >
      {source.address}
    </a>
    {source.quotes.map((quote, index) => (
      <p key={index} className="said ps-4 italic">
        “{quote}”
      </p>
    ))}
    {source.unchecked !== undefined && <p className="ps-4">Quotes not looked up: {source.unchecked}</p>}
  </li>
)

export const Sources = () => {
  const { session } = useStage()
  const { sources = [], searchFailed, question } = session
  if (searchFailed)
    return <p className="text-sm text-soft">The web search failed: {failureWords(searchFailed)}</p>
  if (sources.length === 0) return null
  return (
    <details className="text-sm text-soft">
      <summary>
        {sourcesTitle}: {sources.length}
      </summary>
      <ul className="mt-1 space-y-2">
        {sources.map((one, index) => (
          <Entry key={one.address} source={one} head={sourceHead(one, index, question.attachments.length)} />
        ))}
      </ul>
    </details>
  )
}
