/** What goes with the question: each exhibit opens as the seats got it. */

import { lazy, Suspense, useState } from 'react'
import { exhibitSize } from '../../words/asking.ts'
import { useStage } from './stage.tsx'

const ExhibitDialog = lazy(() => import('./exhibit-dialog.tsx'))

const Exhibits = () => {
  const { session } = useStage()
  const [shown, setShown] = useState<number>()
  const { attachments } = session.question
  return (
    <div className="text-sm text-soft">
      <p>Attached:</p>
      <ul className="flex flex-wrap gap-x-4">
        {attachments.map((one, index) => (
          <li key={`${index} ${one.name}`} className="max-w-full wrap-anywhere">
            <button
              type="button"
              className="text-left underline decoration-soft underline-offset-3 hover:text-ink"
              onClick={() => setShown(index + 1)}
            >
              {session.citations && `[${index + 1}] `}
              {one.name}
            </button>{' '}
            <span className="whitespace-nowrap">({exhibitSize(one)})</span>
          </li>
        ))}
      </ul>
      {shown !== undefined && (
        <Suspense>
          <ExhibitDialog exhibit={shown} onClose={() => setShown(undefined)} />
        </Suspense>
      )}
    </div>
  )
}

export default Exhibits
