/** Templates on the ask page: they load when somebody opens the list. */
import { lazy, Suspense, useState } from 'react'
import type { FormProps } from './question-box.tsx'

const TemplateList = lazy(() => import('./template-list.tsx'))

export const Templates = (props: FormProps) => {
  const [open, setOpen] = useState(false)
  return (
    <details className="text-center text-sm" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary className="label inline-block cursor-pointer">Templates</summary>
      <Suspense>{open && <TemplateList {...props} />}</Suspense>
    </details>
  )
}
