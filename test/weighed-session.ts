/** The sample session with answers of the second prompts: readings, weighed points, and what became of each answer. */
import type { Happening } from '../src/core/event.ts'
import type { Answer } from '../src/core/question.ts'
import { logOf, sampleHappenings } from './sample-session.ts'

const bun = { seat: 's3', quote: 'A bun is one piece of bread', verified: true }
const taco = { seat: 's4', quote: 'a hot dog is a taco', verified: false }

const sealed: Record<string, Partial<Answer>> = {
  s2: { reading: '“Sandwich” as the law uses the word.' },
}

const open: Record<string, Partial<Answer>> = {
  s1: {
    choice: 'Yes',
    headline: 'Filling between bread is a sandwich, even if the bread is one piece.',
    decision: 'conceded',
    reason: "a peer's point",
    credit: bun,
    points: [
      { ...bun, judgement: 'holds', why: 'It is one piece. The question is whether that matters.' },
      { ...taco, judgement: 'does not hold', why: 'A taco is folded.' },
      {
        ...{ seat: 's2', quote: 'by any legal definition', verified: true },
        ...{ judgement: 'cannot be checked', why: 'Nobody here can look the laws up.' },
      },
    ],
  },
  // Its word and its choice say different things.
  s2: { choice: 'No', decision: 'kept', reason: undefined, credit: undefined, points: [] },
  s3: { choice: 'No', decision: 'narrowed', reason: 'my own error' },
  s4: {
    choice: 'Yes',
    decision: 'changed',
    reason: 'another reading',
    credit: { seat: 's1', quote: 'one uncut roll', verified: false },
  },
}

export const weighedHappenings: readonly Happening[] = sampleHappenings.map(happening => {
  if (happening.type === 'session-opened') return { ...happening, id: '20260102-weighed' }
  if (happening.type !== 'answer-given') return happening
  const { reason: _reason, credit: _credit, decision: _decision, ...answer } = happening.answer
  const said = (happening.round === 0 ? sealed : open)[happening.seat]
  return { ...happening, answer: { ...answer, ...said } }
})

export const weighedLog = logOf(weighedHappenings)
