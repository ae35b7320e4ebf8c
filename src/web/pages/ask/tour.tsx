/** Starts the tour: a session with replies that were written in advance. It says so. */
import { useNavigate } from '@tanstack/react-router'
import { startTour } from '../../api.ts'
import { Button, type ButtonKind } from '../../components/button.tsx'
import { useMutation } from '../../components/mutation.ts'
import { Problem } from '../../components/notice.tsx'

export const Tour = ({ kind = 'plain' }: { kind?: ButtonKind }) => {
  const navigate = useNavigate()
  const { mutate, error, isPending } = useMutation({
    mutationFn: startTour,
    onSuccess: ({ id }) => navigate({ to: '/s/$id', params: { id } }),
  })
  return (
    <>
      <Button kind={kind} disabled={isPending} onClick={() => mutate()}>
        Watch the tour
      </Button>
      {error && <Problem error={error} />}
    </>
  )
}
