/** The ask page opens with this question and table: everything can be changed there, and the estimate is shown. */
import { useNavigate } from '@tanstack/react-router'
import { formFrom } from '../ask/again.ts'
import { keepDraft } from '../ask/draft.ts'
import { useStage } from './stage.ts'

export const useAskAnother = (): (() => void) => {
  const navigate = useNavigate()
  const { session } = useStage()
  return () => {
    keepDraft(formFrom(session))
    void navigate({ to: '/' })
  }
}
