/** How sure the seats are, and how often tables with such a sealed vote were right. Nothing for opinions. */
import { howOftenRight } from '../../../core/track-record/how-often-right.ts'
import { howOftenRightSentence } from '../../../core/wording/how-often-right-words.ts'
import { sureSentence } from '../../../core/wording/sure-words.ts'
import { useStage } from './stage.ts'

export const HowOftenRight = () => {
  const { session } = useStage()
  const signal = howOftenRight(session)
  const words = [sureSentence(session), signal && howOftenRightSentence(signal)].filter(Boolean)
  if (words.length === 0) return null
  return (
    <p className="mt-2 max-w-prose text-sm text-soft" title={signal?.source}>
      {words.join(' ')}
    </p>
  )
}
