/** A sealed book: what that means, and the owner's way to open it. */
import { useQueryClient } from '@tanstack/react-query'
import { sealedWords } from '../../../core/letters/withheld.ts'
import { useMay } from '../../account.ts'
import { openBook } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { useMutation } from '../../components/mutation.ts'
import { Problem } from '../../components/notice.tsx'

export const OpenBook = ({ id }: { id: string }) => {
  const queries = useQueryClient()
  const mayOpen = useMay('change-session')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => openBook(id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['session', id] })
      await queries.invalidateQueries({ queryKey: ['books'] })
    },
  })
  return (
    <section aria-label="Sealed" className="card mt-8 space-y-4 p-6">
      <p>{mayOpen ? 'Sealed: only models can read these letters until you open them.' : sealedWords}</p>
      {error && <Problem error={error} />}
      {mayOpen && (
        <>
          <p>
            <Button kind="primary" disabled={isPending} onClick={() => mutate()}>
              Open the book
            </Button>
          </p>
          <p className="text-sm text-soft">Opening is recorded in the session, and can’t be undone.</p>
        </>
      )}
    </section>
  )
}
