/** On a server with accounts: whether the team sees one's own session. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { SessionReply } from '../../../../api/index.ts'
import { showTo } from '../../../api.ts'
import { Button } from '../../../components/button.tsx'
import { Problem } from '../../../components/notice.tsx'

export const TeamPart = ({ id, ownership }: Pick<SessionReply, 'id' | 'ownership'>) => {
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (visibility: 'private' | 'team') => showTo(id, visibility),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['session', id] }),
  })
  if (!ownership?.own) return null
  const isShared = ownership.visibility === 'team'
  return (
    <section aria-label="Team" className="mb-5 border-b border-line pb-5">
      <p className="text-soft">
        {isShared
          ? 'Everybody with an account on this server can see this session.'
          : 'Only you can see this session.'}
      </p>
      {error && <Problem error={error} />}
      <p className="mt-3 flex justify-end">
        <Button disabled={isPending} onClick={() => mutate(isShared ? 'private' : 'team')}>
          {isShared ? 'Keep it private' : 'Share with the team'}
        </Button>
      </p>
    </section>
  )
}
