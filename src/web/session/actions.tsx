/** What a person can do with a session: resume, share, export, fork, resolve, print, delete. */

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { canBeRight } from '../../core/form.ts'
import { endingOf } from '../../words/moves.ts'
import { fetchSettings, removeSession, sessionPath, stopSession } from '../kit/api.ts'
import { ConfirmDialog } from '../kit/dialogs.tsx'
import { Button, Problem } from '../kit/frame.tsx'
import { Menu, MenuItem, MenuLink } from '../kit/menu.tsx'
import { useMutation } from '../kit/mutation.ts'
import { ResolveDialog, RoundDialog, ShareDialog } from './dialogs.tsx'
import { ForkDialog } from './fork-dialog.tsx'
import { useAskAnother, useStage } from './stage.tsx'

/** The formats, until the server has sent its list. */
const usualExports = [
  { id: 'html', label: 'Web page', extension: 'html' },
  { id: 'markdown', label: 'Markdown', extension: 'md' },
  { id: 'json', label: 'JSON', extension: 'json' },
  { id: 'transcript', label: 'Transcript', extension: 'txt' },
]

const ExportMenu = ({ id }: { id: string }) => {
  const { data } = useQuery({ queryKey: ['settings'], queryFn: fetchSettings })
  return (
    <Menu label="Export">
      {(data?.exports ?? usualExports).map(form => (
        <MenuLink
          key={form.id}
          href={`${sessionPath(id)}/export/${form.id}`}
          download={`${id}.${form.extension}`}
        >
          {form.label}
        </MenuLink>
      ))}
    </Menu>
  )
}

interface NextStepProps {
  onError(error: Error | null): void
  onAddRound(): void
}

/** The one thing to do next: stop a session that runs, or add a round to one that is over. */
const NextStep = ({ onError, onAddRound }: NextStepProps) => {
  const { live, session, calm } = useStage()
  const latest = live.state().session ?? session
  const { mutate, isPending } = useMutation({
    mutationFn: () => stopSession(latest.id),
    onSuccess: () => live.watch(),
    onSettled: (_data, error) => onError(error),
  })
  if (latest.imported) return null
  if (!latest.outcome)
    return (
      <Button
        disabled={isPending || latest.stopped !== undefined}
        title="Ends the session now, with what there is"
        onClick={() => mutate()}
      >
        Stop
      </Button>
    )
  if (!endingOf(latest)) return <Button onClick={onAddRound}>Add a round</Button>
  // The verdict offers the one act that helps. Without this, another button would come under the pointer that pressed Stop.
  return calm ? <Button disabled>{latest.stopped ? 'Stopped' : 'Ended'}</Button> : null
}

const DeleteDialog = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const navigate = useNavigate()
  return (
    <ConfirmDialog
      title="Delete this session?"
      keep="Keep it"
      act="Delete"
      run={() => removeSession(id)}
      onDone={() => navigate({ to: '/sessions' })}
      onClose={onClose}
    >
      This deletes its log, tags and share link. Export it first to keep a copy.
    </ConfirmDialog>
  )
}

const dialogs = {
  fork: ForkDialog,
  share: ShareDialog,
  round: RoundDialog,
  resolve: ResolveDialog,
  delete: DeleteDialog,
}

export default function Actions() {
  const { session, may } = useStage()
  const [open, setOpen] = useState<keyof typeof dialogs>()
  const [error, setError] = useState<Error | null>(null)
  const Open = open && dialogs[open]
  const askAnother = useAskAnother()
  return (
    <div>
      <div className="flex flex-wrap gap-2 max-[359px]:gap-1">
        {may('change-session') && <NextStep onError={setError} onAddRound={() => setOpen('round')} />}
        {may('share-session') && <Button onClick={() => setOpen('share')}>Share</Button>}
        <ExportMenu id={session.id} />
        <Menu label="More">
          {may('fork-session') && <MenuItem onSelect={askAnother}>Ask another table</MenuItem>}
          {may('fork-session') && !session.imported && (
            <MenuItem onSelect={() => setOpen('fork')}>Fork at a round</MenuItem>
          )}
          {may('change-session') && canBeRight(session) && (
            <MenuItem onSelect={() => setOpen('resolve')}>Resolve: record the right answer</MenuItem>
          )}
          <MenuItem onSelect={() => print()}>Print</MenuItem>
          {may('delete-session') && (
            <MenuItem danger onSelect={() => setOpen('delete')}>
              Delete
            </MenuItem>
          )}
        </Menu>
      </div>
      {error && !session.outcome && (
        <div className="mt-2">
          <Problem error={error} />
        </div>
      )}
      {Open && <Open id={session.id} onClose={() => setOpen(undefined)} />}
    </div>
  )
}
