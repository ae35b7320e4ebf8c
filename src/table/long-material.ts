/** What happens if the attachments don't fit a model: the question is refused, or all seats get the same excerpts. */
import { UsageError } from '../core/errors.ts'
import type { Excerpts } from '../core/question/excerpts.ts'
import { shortNumber } from '../core/wording/numbers.ts'
import { passagesText } from '../core/wording/picture-words.ts'
import { questionPart } from '../protocols/prompt-parts.ts'
import type { OpeningFacts } from '../protocols/protocol.ts'
import { usualOutputTokens } from '../runtime/ask.ts'
import { tokensIn } from '../runtime/tokens.ts'
import { instructionTokens } from './estimate.ts'
import { excerptsOf } from './excerpts.ts'
import { type AskedModel, askersAt, type Narrow, narrowAt, refusalWords } from './fits.ts'
import type { Reach } from './reach.ts'

/** What seats would get of attachments that don't fit, or get if the asker wants excerpts. */
export interface ExcerptCount {
  readonly given: number
  readonly of: number
  readonly wanted: boolean
}

interface LongMaterial {
  readonly notes: readonly string[]
  /** For the log, if the asker wants them. */
  readonly excerpts?: Excerpts
  /** For the estimate. Absent: everything fits, or not even excerpts do. */
  readonly count?: ExcerptCount
  /** Why it can't be asked like this. */
  readonly refusal?: UsageError
}

/** Tokens of a long answer, and of what a model writes at most. */
const longAnswer = 700
const longReply = 1_500
/** A model that thinks needs several times as many. */
const thinkingShare = 4
/** Tokens are estimated, so not all of the room is used. */
const usedShare = 0.9

/** Room for passages in one model's context, beside the rest of the question and what seats say in open rounds. */
const roomIn = ({ context, reasoning, pictures }: AskedModel, beside: number, said: number): number => {
  const left = context - pictures - beside
  const wished = left - said - longReply * (reasoning ? thinkingShare : 1)
  return Math.floor(usedShare * Math.max(wished, (left - usualOutputTokens) / 2))
}

const withoutTexts = (opened: OpeningFacts): OpeningFacts => ({
  ...opened,
  question: { ...opened.question, attachments: [] },
})

const excerptsFor = (opened: OpeningFacts, askers: readonly AskedModel[]): Excerpts | undefined => {
  const beside = tokensIn(questionPart(withoutTexts(opened))) + instructionTokens
  const said = opened.rounds > 0 ? opened.seats.length * longAnswer : 0
  return excerptsOf(opened.question, Math.min(...askers.map(asker => roomIn(asker, beside, said))))
}

const tokensOf = (opened: OpeningFacts): number => tokensIn(questionPart(opened)) + instructionTokens

const excerptNote = (
  opened: OpeningFacts,
  excerpts: Excerpts,
  narrow: readonly Narrow[],
  wanted: boolean,
): string => {
  const passages = passagesText({ given: excerpts.given.length, of: excerpts.of })
  const size = `about ${shortNumber(tokensOf({ ...opened, excerpts }))} of ${shortNumber(tokensOf(opened))} tokens`
  return wanted
    ? `Excerpts: all seats get the same ${passages}, picked by the words of the question (${size}), because ${narrow[0]!.name} takes ${shortNumber(narrow[0]!.context)} tokens.`
    : `With excerpts, all seats would get the same ${passages}, picked by the words of the question (${size}).`
}

/** `wanted`: the asker wants excerpts if something doesn't fit. */
export const longMaterialOf = (
  opened: OpeningFacts,
  wanted: boolean,
  { providers }: Pick<Reach, 'providers'>,
): LongMaterial => {
  if (opened.question.attachments.length === 0) return { notes: [] }
  const narrow = narrowAt(opened, tokensOf(opened), providers)
  if (narrow.length === 0) return { notes: [] }
  const excerpts = excerptsFor(opened, askersAt(opened, providers))
  const refusal = new UsageError(refusalWords(narrow), 'too-long')
  if (!excerpts) return { notes: [], refusal }
  const notes = [excerptNote(opened, excerpts, narrow, wanted)]
  const count = { given: excerpts.given.length, of: excerpts.of, wanted }
  return wanted ? { notes, excerpts, count } : { notes, count, refusal }
}
