/** A dialog over the page: the browser's own, which keeps the focus inside and closes on Escape. */
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Shown for as long as it is rendered. */
export const Dialog = ({ title, onClose, children }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  // At once: a key that is pressed a paint later belongs to the dialog.
  useLayoutEffect(() => element.current?.showModal(), [])
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onClose={onClose}
      className="card m-auto w-[min(34rem,calc(100vw-2rem))] p-6 text-start text-ink shadow-xl"
    >
      <h2 id={id} className="text-lg font-semibold">
        {title}
      </h2>
      <div className="mt-4">{children}</div>
    </dialog>
  )
}
