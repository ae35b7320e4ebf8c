/** A link that shows this session to anyone who has it, until it is revoked. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { fetchSession, shareSession, unshareSession } from '../../../api.ts'
import { Button } from '../../../components/button.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { TextField } from '../../../components/field.tsx'
import { Problem } from '../../../components/notice.tsx'
import { TeamPart } from './team-part.tsx'

export const ShareDialog = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const queries = useQueryClient()
  const { data } = useQuery({ queryKey: ['session', id], queryFn: () => fetchSession(id) })
  const { mutate, error, isPending } = useMutation({
    mutationFn: (shared: boolean): Promise<unknown> => (shared ? shareSession(id) : unshareSession(id)),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['session', id] }),
  })
  const link = data?.share ? `${location.origin}${data.share.path}` : undefined
  return (
    <Dialog title="Share this session" onClose={onClose}>
      {data && <TeamPart id={id} ownership={data.ownership} />}
      <p className="text-soft">
        Anyone with the link can see this session, and nothing else. You can revoke it.
      </p>
      {link && (
        <div className="mt-4">
          <TextField label="Link" value={link} readOnly onFocus={focus => focus.target.select()} />
        </div>
      )}
      {error && <Problem error={error} />}
      <p className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Close</Button>
        {link ? (
          <>
            <Button kind="danger" disabled={isPending} onClick={() => mutate(false)}>
              Revoke
            </Button>
            {'share' in navigator && (
              <Button onClick={() => navigator.share({ title: data?.question, url: link }).catch(() => {})}>
                Send…
              </Button>
            )}
            <CopyButton kind="primary" label="Copy link" text={() => link} />
          </>
        ) : (
          <Button kind="primary" disabled={!data || isPending} onClick={() => mutate(true)}>
            Create link
          </Button>
        )}
      </p>
    </Dialog>
  )
}
