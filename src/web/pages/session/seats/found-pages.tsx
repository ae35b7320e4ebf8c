/** The pages that a seat's own search found. */
import type { Answer } from '../../../../core/question/answer.ts'
import { foundTitle, unsearchedWords } from '../../../../core/wording/source-words.ts'

export const FoundPages = ({ answer }: { answer: Answer }) => {
  if (!answer.found && !answer.unsearched) return null
  if (answer.unsearched) return <p className="mt-3 text-sm text-soft">{unsearchedWords}</p>
  return (
    <details className="mt-3 text-sm text-soft">
      <summary>
        {foundTitle}: {answer.found?.length ?? 0}
      </summary>
      <ul className="mt-1">
        {answer.found?.map(({ address, title }) => (
          <li key={address} className="wrap-anywhere" dir="auto">
            {title && `${title}: `}
            <a className="underline" href={address} target="_blank" rel="noopener noreferrer">
              {address}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}
