/** How often tables with such a sealed vote were right. Nothing for opinions. */
import { howOftenRight } from '../../../core/track-record/how-often-right.ts'
import { howOftenRightSentence } from '../../../core/wording/how-often-right-words.ts'
import { useStage } from './stage.ts'

export const HowOftenRight = () => {
  const { session } = useStage()
  const signal = howOftenRight(session)
  if (!signal) return null
  return (
    <p className="mt-2 max-w-prose text-sm text-soft" title={signal.source}>
      {howOftenRightSentence(signal)}
    </p>
  )
}
