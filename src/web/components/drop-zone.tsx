/** Takes files that are dropped on it, and says so while one is dragged over it. */
import { type DragEvent, type ReactNode, useRef, useState } from 'react'

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
