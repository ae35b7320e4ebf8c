/** The one act that helps a session that ended without a verdict or before its time. */
import { latestRound } from '../../../core/log/state.ts'
import type { EndingAct } from '../../../core/wording/ending-words.ts'
import { resumeSession, retrySeat } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { useMutation } from '../../components/mutation.ts'
import { Problem } from '../../components/notice.tsx'
import { useAskAnother } from './ask-another.ts'
import { useStage } from './stage.ts'

const labels: Record<EndingAct, string> = {
  'ask silent seats': 'Ask the silent seats again',
  resume: 'Resume',
  'larger budget': 'Ask again with a larger budget',
  'another table': 'Ask another table',
}

export const EndingAction = ({ act }: { act: EndingAct }) => {
  const { session, live, may } = useStage()
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      if (act === 'resume') return resumeSession(session.id)
      const round = latestRound(session)
      const silent = session.seats.filter(({ id }) => round?.handedIn[id]?.status === 'silent')
      for (const { id } of silent) await retrySeat(session.id, id)
    },
    onSuccess: () => live.watch(),
  })
  const askAnother = useAskAnother()
  const asks = act === 'larger budget' || act === 'another table'
  if (!may(asks ? 'fork-session' : 'change-session')) return null
  return (
    <div className="mt-3 space-y-2">
      <Button kind="primary" disabled={isPending} onClick={() => (asks ? askAnother() : mutate())}>
        {labels[act]}
      </Button>
      {error && <Problem error={error} />}
    </div>
  )
}
