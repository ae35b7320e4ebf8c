/** A link that shows this session to anyone who has it, until it is revoked. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { VisibilityBody } from '../../../../api/index.ts'
import { fetchSession, setVisibility, shareSession, unshareSession } from '../../../api.ts'
import { Button } from '../../../components/button.tsx'
import { Choice } from '../../../components/choice.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { TextField } from '../../../components/field.tsx'
import { useMutation } from '../../../components/mutation.ts'
import { Problem } from '../../../components/notice.tsx'

const visibilities = [
  { value: 'private', label: 'Private' },
  { value: 'team', label: 'Shared with the team' },
] as const

/** Only with accounts, and for the owner. */
const WhoSeesIt = ({ id, visibility }: { id: string; visibility: VisibilityBody['visibility'] }) => {
  const queries = useQueryClient()
  const { mutate, error, isPending, variables } = useMutation({
    mutationFn: (next: VisibilityBody['visibility']) => setVisibility(id, { visibility: next }),
    onSuccess: () =>
      Promise.all(['session', 'sessions'].map(name => queries.invalidateQueries({ queryKey: [name] }))),
  })
  const shown = isPending ? variables : visibility
  return (
    <div className="mb-5 space-y-2 border-b border-line pb-5">
      <Choice label="Who sees it" value={shown} options={visibilities} onChange={mutate} />
      <p className="text-sm text-soft">
        {shown === 'private'
          ? 'Only you see this session.'
          : 'Everybody with an account on this server sees this session.'}
      </p>
      {error && <Problem error={error} />}
    </div>
  )
}

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
      {data?.ownership?.own && <WhoSeesIt id={id} visibility={data.ownership.visibility} />}
      <p className="text-soft">
        {link
          ? 'Anyone with the link can read this session, and nothing else. You can revoke the link.'
          : 'Create a link, and anyone who has it can read this session, and nothing else. You can revoke it.'}
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
