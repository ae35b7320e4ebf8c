/** The passages of exhibits that an answer cites. Each opens its exhibit at the place. */
import { lazy, Suspense, useId, useState } from 'react'
import { type Citation, isUnsupported } from '../../../../core/question/citation.ts'
import {
  citationMark,
  citationSign,
  citationsTitle,
  citationWords,
  citedName,
} from '../../../../core/wording/citation-words.ts'
import { useStage } from '../stage.ts'

const ExhibitDialog = lazy(() => import('../dialogs/exhibit-dialog.tsx'))

const looks =
  'max-w-full text-left wrap-anywhere underline decoration-soft underline-offset-3 hover:text-accent'

/** An exhibit opens here; a source is a link, whose address the log has checked. */
const Cited = ({ citation, onShow }: { citation: Citation; onShow: () => void }) => {
  const { session } = useStage()
  const words = `${citationMark(citation)} ${citedName(citation, session.question.attachments)}`
  if (citation.address !== undefined)
    return (
      <a className={looks} href={citation.address} target="_blank" rel="noopener noreferrer">
        {words}
      </a>
    )
  return (
    <button type="button" className={looks} onClick={onShow}>
      {words}
    </button>
  )
}

const toneOf = (citation: Citation): string => {
  if (citation.verified) return 'text-good'
  return isUnsupported(citation) ? 'text-bad' : 'text-soft'
}

export const Citations = ({ citations }: { citations: readonly Citation[] }) => {
  const title = useId()
  const [shown, setShown] = useState<Citation>()
  if (citations.length === 0) return null
  return (
    <div className="mt-3 break-inside-avoid">
      <h5 id={title} className="label">
        {citationsTitle}
      </h5>
      <ul className="mt-1" aria-labelledby={title}>
        {citations.map((one, index) => (
          <li key={`${index} ${one.exhibit}`} className="border-t border-line py-1.5 text-sm first:border-0">
            <Cited citation={one} onShow={() => setShown(one)} />{' '}
            <span className={toneOf(one)}>
              {citationSign(one)} {citationWords(one)}
            </span>
            <p className="said wrap-anywhere italic" dir="auto">
              “{one.quote}”
            </p>
          </li>
        ))}
      </ul>
      {shown?.exhibit !== undefined && (
        <Suspense>
          <ExhibitDialog
            exhibit={shown.exhibit}
            quote={shown.verified ? shown.quote : undefined}
            onClose={() => setShown(undefined)}
          />
        </Suspense>
      )}
    </div>
  )
}
