/** What became of a seat's last answer, in its own word, and whose words it credits. */
import { moveOf } from '../../../../core/camps/moves.ts'
import type { Round } from '../../../../core/log/state.ts'
import type { Answer } from '../../../../core/question/answer.ts'
import { ownWord, reasonWords, unlikeItsWord } from '../../../../core/wording/own-word.ts'
import { useStage } from '../stage.ts'
import { CreditQuote } from './ledger.tsx'

interface OwnWordProps {
  readonly seat: string
  readonly round: Round
  readonly answer: Answer
}

export const OwnWord = ({ seat, round, answer }: OwnWordProps) => {
  const { session } = useStage()
  const said = ownWord(answer)
  const credit = (said || answer.decision === 'change') && (
    <CreditQuote flip={{ round: round.index, credit: answer.credit ?? null }} />
  )
  if (!said) return credit || null
  const unlike = session.imported ? undefined : unlikeItsWord(answer, moveOf(session, round, seat))
  return (
    <>
      <p className="mt-2 text-sm text-soft">
        Says it {said}
        {answer.reason && ` (${reasonWords[answer.reason]})`}
        {unlike && <span className="font-medium text-bad">; {unlike}</span>}
      </p>
      {credit}
    </>
  )
}
