/** A fork from the start: the ask page opens with this question and table, where everything can be changed. */
import { useNavigate } from '@tanstack/react-router'
import { formFrom } from '../ask/again.ts'
import { keepDraft } from '../ask/draft.ts'
import { useStage } from './stage.ts'

export const useAskAnother = (): (() => void) => {
  const navigate = useNavigate()
  const { session } = useStage()
  return () => {
    const { id, after } = session
    keepDraft({
      ...formFrom(session),
      forkedFrom: id,
      ...(after && { after: { session: after.session, carry: after.carry } }),
    })
    void navigate({ to: '/' })
  }
}
