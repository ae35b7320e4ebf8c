/** A fork from the start: the ask page opens with this question and table, where everything can be changed. */
import { useNavigate } from '@tanstack/react-router'
import { formFrom } from '../ask/again.ts'
import { keepDraft } from '../ask/draft.ts'
import { useStage } from './stage.ts'

export const useAskAnother = (): (() => void) => {
  const navigate = useNavigate()
  const { session } = useStage()
  return () => {
    keepDraft({ ...formFrom(session), forkedFrom: session.id })
    void navigate({ to: '/' })
  }
}
