/** Asks before something that can't be undone, or that somebody will notice. */

import { type DragEvent, type FormEvent, type ReactNode, useRef, useState } from 'react'
import { TextField } from './fields.tsx'
import { Button, type ButtonKind, Dialog, Problem } from './frame.tsx'
import { useMutation } from './mutation.ts'

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

// dropZone: Takes files that are dropped on it, and says so while one is dragged over it.

interface DropZoneProps {
  readonly hint: string
  readonly className?: string
  readonly children: ReactNode
  onFiles(files: readonly File[]): void
}

const carriesFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files')

export const DropZone = ({ hint, className = '', children, onFiles }: DropZoneProps) => {
  const [over, setOver] = useState(false)
  /** Entering a child comes before leaving its parent: only the last one to leave leaves the zone. */
  const depth = useRef(0)
  const entered = (step: number): void => {
    depth.current = Math.max(0, depth.current + step)
    setOver(depth.current > 0)
  }
  const dropped = (event: DragEvent): void => {
    if (!carriesFiles(event)) return
    event.preventDefault()
    entered(-depth.current)
    onFiles([...event.dataTransfer.files])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a file dialog stands beside every zone
    <div
      className={`relative ${className}`}
      onDragEnter={event => carriesFiles(event) && entered(1)}
      onDragLeave={event => carriesFiles(event) && entered(-1)}
      onDragOver={event => carriesFiles(event) && event.preventDefault()}
      onDrop={dropped}
    >
      {children}
      {over && (
        <div className="pointer-events-none absolute inset-0 z-20 grid place-items-center rounded-[inherit] border-2 border-dashed border-accent bg-wash/90 text-lg font-medium">
          {hint}
        </div>
      )}
    </div>
  )
}

// fieldDialog: A dialog with one field: saves what is written there, or shows the problem.

interface FieldDialogProps {
  readonly title: string
  readonly label: string
  readonly hint: string
  /** What stands in the field at first. */
  readonly value?: string
  readonly required?: boolean
  /** The dialog closes when this is done. */
  save(text: string): Promise<unknown>
  onClose(): void
}

export const FieldDialog = (props: FieldDialogProps) => {
  const { title, label, hint, value = '', required = false, save, onClose } = props
  const [text, setText] = useState(value)
  const { mutate, error, isPending } = useMutation({ mutationFn: () => save(text), onSuccess: onClose })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    mutate()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        <TextField
          label={label}
          hint={hint}
          value={text}
          required={required}
          onChange={event => setText(event.target.value)}
        />
        {error && <Problem error={error} />}
        <p className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" disabled={isPending || (required && text.trim() === '')}>
            Save
          </Button>
        </p>
      </form>
    </Dialog>
  )
}

// fileButton: Opens the file dialog, for those who don't drag and drop.

interface FileButtonProps {
  readonly label: string
  readonly kind?: ButtonKind
  readonly accept?: string
  onFiles(files: readonly File[]): void
}

export const FileButton = ({ label, kind, accept, onFiles }: FileButtonProps) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button kind={kind} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={accept}
        onChange={change => {
          onFiles([...(change.target.files ?? [])])
          change.target.value = ''
        }}
      />
    </>
  )
}
