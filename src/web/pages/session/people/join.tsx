/** A seat for one more person: the person who watches, or anyone with the link. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { joinTable } from '../../../api.ts'
import { Button } from '../../../components/button.tsx'
import { FieldDialog } from '../../../components/field-dialog.tsx'

export const Join = ({ id, over }: { id: string; over: boolean }) => {
  const client = useQueryClient()
  const [joining, setJoining] = useState(false)
  return (
    <div>
      <Button disabled={over} onClick={() => setJoining(true)}>
        Join the next round
      </Button>
      {joining && (
        <FieldDialog
          title="Join the table"
          label="Name"
          hint="You, or anyone with the link. The seat is asked from the next round on."
          required
          save={async name => {
            await joinTable(id, { name })
            void client.invalidateQueries({ queryKey: ['people', id] })
            void client.invalidateQueries({ queryKey: ['session', id] })
          }}
          onClose={() => setJoining(false)}
        />
      )}
    </div>
  )
}
