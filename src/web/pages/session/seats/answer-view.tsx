/** What a seat handed in for a round. */
import { useState } from 'react'
import { answerBefore, type Round } from '../../../../core/log/state.ts'
import type { Answer } from '../../../../core/question/answer.ts'
import { readingLabel } from '../../../../core/wording/point-words.ts'
import { valueText } from '../../../../core/wording/values.ts'
import { Markdown } from '../../../components/markdown.tsx'
import { useStage } from '../stage.ts'
import { Citations } from './citations.tsx'
import { useExpanded } from './expanded.tsx'
import { FoundPages } from './found-pages.tsx'
import { Headline } from './headline.tsx'
import { OwnWord } from './own-word.tsx'
import { Points } from './points.tsx'
import { shortened } from './shortened.ts'
import { TextView } from './text-view.tsx'

/** Long texts begin folded: fifty lines of one seat would hide the next. */
const longText = 420

export const Reasoning = ({
  text,
  language,
  open,
}: {
  text: string
  language?: string | null
  open: boolean
}) => {
  const [unfolded, setUnfolded] = useState(open)
  const expanded = useExpanded()
  const long = text.length > longText
  const folded = long && !unfolded && !open && !expanded
  if (text.trim() === '') return null
  return (
    <div className="mt-3 leading-relaxed">
      <Markdown text={folded ? shortened(text, longText) : text} language={language} />
      {long && !open && !expanded && (
        <button
          type="button"
          aria-expanded={!folded}
          onClick={() => setUnfolded(!unfolded)}
          className="mt-1 text-sm font-medium text-accent hover:underline"
        >
          {folded ? 'Show more' : 'Show less'}
        </button>
      )}
    </div>
  )
}

/** The headline is the bare choice: there is nothing to say twice. */
const saysOnly = (headline: string, value: string): boolean =>
  headline.trim().replace(/[.!]$/, '').toLowerCase() === value.trim().toLowerCase()

interface AnswerViewProps {
  readonly seat: string
  readonly round: Round
  readonly answer: Answer
  /** A reader was led here. */
  readonly open?: boolean
}

export const AnswerView = ({ seat, round, answer, open = false }: AnswerViewProps) => {
  const { session } = useStage()
  const last = answerBefore(session, round.index, seat)
  const before = last && last.headline !== answer.headline ? last.headline : undefined
  const { format } = session.question
  const value = format === 'open' || format === 'text' ? '' : valueText(session.question, answer)
  return (
    <div data-answer={`${seat}@${round.index}`} className="gap-10 @4xl:columns-2">
      {value && !saysOnly(answer.headline, value) && (
        <p className="mb-1 font-semibold wrap-anywhere">{value}</p>
      )}
      <Headline text={answer.headline} before={before} />
      {answer.reading && (
        <p className="mt-2 text-sm text-soft">
          <span className="font-medium">{readingLabel}: </span>
          <span className="said" dir="auto">
            {answer.reading}
          </span>
        </p>
      )}
      <OwnWord seat={seat} round={round} answer={answer} />
      {answer.text === undefined ? (
        <Reasoning text={answer.reasoning} language={answer.language} open={open} />
      ) : (
        <TextView answer={answer} />
      )}
      <Citations citations={answer.citations ?? []} />
      <FoundPages answer={answer} />
      <Points points={answer.points ?? []} round={round.index} />
      {answer.wouldChangeMind && (
        <p className="mt-3 text-sm text-soft">
          <span className="font-medium">Would change its mind: </span>
          <span className="said" dir="auto">
            {answer.wouldChangeMind}
          </span>
        </p>
      )}
      {answer.drifted && (
        <p className="mt-2 text-sm text-bad">It answered in another language than the question.</p>
      )}
    </div>
  )
}
