/** Templates on the ask page: a button, and their list below it, which loads when somebody opens it. */

import { lazy, Suspense, useId, useState } from 'react'
import { Button } from '../kit/frame.tsx'
import type { FormProps } from './form-data.ts'

const TemplateList = lazy(() => import('./template-list.tsx'))

/** For the button and the list, which stand apart from each other. */
export const useTemplates = () => {
  const id = useId()
  const [open, setOpen] = useState(false)
  return { id, open, toggle: () => setOpen(!open) }
}

type Opened = Pick<ReturnType<typeof useTemplates>, 'id' | 'open'>

export const TemplatesButton = ({ id, open, toggle }: ReturnType<typeof useTemplates>) => (
  <Button aria-expanded={open} aria-controls={id} onClick={toggle}>
    <span>Templates</span>
    <span aria-hidden="true" className={open ? 'rotate-180' : ''}>
      ▾
    </span>
  </Button>
)

export const Templates = ({ id, open, ...form }: Opened & FormProps) => (
  <div id={id} className="text-center text-sm empty:hidden">
    <Suspense>{open && <TemplateList {...form} />}</Suspense>
  </div>
)
