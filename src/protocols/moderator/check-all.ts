/** Compares all pairs of headlines of a round in one call. */
import { z } from 'zod'
import { type Command, commandKey } from '../../core/log/command.ts'
import { type Happening, type Relation, relations } from '../../core/log/event.ts'
import { shapeOf } from '../../core/question/form.ts'
import type { ModelStep } from '../model-step.ts'
import { bareQuestionPart, fenced } from '../prompt-parts.ts'
import { headlinesOf, relationNamed } from './check.ts'
import { relationWords } from './relation-words.ts'
import { moderatorSystem } from './system.ts'

type CheckAll = Command & { type: 'check-memberships' }
type Checked = Happening & { type: 'memberships-checked' }

/** What a field holds is said once, in the instructions: a description would come again with every pair. */
const pairSchema = z.strictObject({ why: z.string(), relation: z.enum(relations) })

const nameOf = (index: number): string => `p${index + 1}`

/** Some models leave out the reason and write the relation alone. */
const relationOf = (said: unknown): Relation | undefined =>
  relationNamed(z.object({ relation: z.unknown() }).safeParse(said).data?.relation ?? said)

/** What a reply says about the pairs, and which of them it leaves out. */
const checkedBy = (
  raw: unknown,
  { round, pairs }: CheckAll,
): Checked & Required<Pick<Checked, 'missing'>> => {
  const reply = z.record(z.string(), z.unknown()).safeParse(raw).data ?? {}
  const all = pairs.map((pair, index) => ({ ...pair, relation: relationOf(reply[nameOf(index)]) }))
  return {
    type: 'memberships-checked',
    round,
    checks: all.flatMap(({ relation, ...pair }) => (relation ? [{ ...pair, relation }] : [])),
    missing: all.flatMap(({ relation, ...pair }) => (relation ? [] : [pair])),
  }
}

export const checkAll: ModelStep<CheckAll> = {
  prompt(session, command) {
    const { round, pairs } = command
    const lines = pairs.map((pair, index) => {
      const [first, second] = headlinesOf(session, round, pair)
      return JSON.stringify({ pair: nameOf(index), first, second })
    })
    return {
      system: moderatorSystem,
      user: [
        bareQuestionPart(session),
        fenced(session, commandKey(command), lines),
        [
          relationWords,
          'For each pair: as answers to the question, how do the first and the second relate? Judge every pair by',
          'itself, whatever you said of the others. why: what both assert, and what only one of them does, in at most 30',
          'words.',
        ].join('\n'),
      ],
      shape: shapeOf(
        'relations',
        z.strictObject(Object.fromEntries(pairs.map((_, index) => [nameOf(index), pairSchema]))),
      ),
    }
  },
  read(raw, _session, command) {
    const { missing, ...whole } = checkedBy(raw, command)
    if (missing.length === 0) return whole
    const names = command.pairs.flatMap((pair, index) =>
      missing.some(({ seat, exemplar }) => seat === pair.seat && exemplar === pair.exemplar)
        ? [nameOf(index)]
        : [],
    )
    return { problem: `no relation, or an unknown one, for ${names.join(', ')}` }
  },
  /** What was said stands, and what is missing is asked one by one. */
  salvage: (raw, _session, command) => checkedBy(raw, command),
}
