/** People at the table, beside the models: added by name, taken away again with a click. */
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { FieldDialog } from '../../components/field-dialog.tsx'
import type { FormProps } from './question-box.tsx'

export const People = ({ form, change }: FormProps) => {
  const [adding, setAdding] = useState(false)
  const { people } = form
  return (
    <section aria-label="People at the table" className="flex flex-wrap items-center justify-center gap-2">
      {people.map((name, index) => (
        <span
          key={`${index} ${name}`}
          className="inline-flex max-w-full items-center gap-1 rounded-full border border-line bg-surface py-0.5 pr-1 pl-3 text-sm font-medium"
        >
          <span dir="auto" className="min-w-0 truncate">
            {name}
          </span>
          <Button
            kind="quiet"
            className="min-h-7! rounded-full! px-2! py-0!"
            aria-label={`Remove ${name}`}
            title={`Remove ${name}`}
            onClick={() => change({ people: people.toSpliced(index, 1) })}
          >
            ×
          </Button>
        </span>
      ))}
      <Button onClick={() => setAdding(true)}>Add a person</Button>
      {adding && (
        <FieldDialog
          title="Add a person"
          label="Name"
          hint="They get a link for their seat when you ask. They answer on their own first, like every seat."
          required
          save={async name => change({ people: [...people, name.trim()] })}
          onClose={() => setAdding(false)}
        />
      )}
    </section>
  )
}
