/** Which seats probably can't see the pictures that are attached, beside them. */
import { unseenNote } from '../../../core/wording/picture-words.ts'
import type { AskForm } from './form.ts'
import { useEstimate } from './use-estimate.ts'

/** It has its room from the start: the estimate comes a moment after the picture. */
export const Unseen = ({ form }: { form: AskForm }) => {
  const unseen = useEstimate(form).data?.unseen
  if (!form.attachments.some(({ width }) => width !== undefined)) return null
  return (
    <p role="status" className="min-h-10 text-sm font-medium text-bad sm:min-h-5">
      {unseen && (
        <>
          <span aria-hidden="true">⚠ </span>
          {unseenNote(unseen)}
        </>
      )}
    </p>
  )
}
