/** Opens the file dialog, for those who don't drag and drop. */
import { useRef } from 'react'
import { Button, type ButtonKind } from './button.tsx'

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
