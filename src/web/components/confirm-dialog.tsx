/** Asks before something that can't be undone, or that somebody will notice. */
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { useMutation } from './mutation.ts'
import { Problem } from './notice.tsx'

interface ConfirmDialogProps {
  readonly title: string
  /** What will happen. */
  readonly children: ReactNode
  /** The button that does it. */
  readonly act: string
  /** The button that doesn't. */
  readonly keep?: string
  run(): Promise<unknown>
  onDone?(): unknown
  onClose(): void
}

export const ConfirmDialog = (props: ConfirmDialogProps) => {
  const { title, children, act, keep = 'Cancel', run, onDone, onClose } = props
  const { mutate, error, isPending } = useMutation({
    mutationFn: run,
    onSuccess: () => (onDone ?? onClose)(),
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="text-soft">{children}</p>
      {error && (
        <div className="mt-3">
          <Problem error={error} />
        </div>
      )}
      <p className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>{keep}</Button>
        <Button kind="danger" disabled={isPending} onClick={() => mutate()}>
          {act}
        </Button>
      </p>
    </Dialog>
  )
}
