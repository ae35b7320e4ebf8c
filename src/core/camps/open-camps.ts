/** Camps of open answers: the moderator proposes positions, and checks against each camp's exemplar decide. */

import { answerIn, type Round, type Session } from '../log/state.ts'
import { normalised } from '../question/answer.ts'
import { type Camp, type CampDraft, emptied, filled, type Grouped, type Grouping } from './camp.ts'
import { campRelations } from './camp-relations.ts'
import { hasFailed, isOver, proposalsIn, samePartition } from './proposals.ts'
import { regroupedIn } from './regrouped.ts'
import { hasSameWording } from './same-wording.ts'
import { settle, settleByChecks } from './settle.ts'
import { join, represent, type SharedHeadline, sharedHeadlines } from './shared-headline.ts'

/** The camp of each headline of earlier rounds. Words that have a camp already needn't be judged again. */
const campsByWords = (earlier: readonly Grouped[]): Map<string, { id: string; qualified: boolean }> => {
  const known = new Map<string, { id: string; qualified: boolean }>()
  for (const { round, camps } of earlier) {
    for (const { id, seats, qualified } of camps) {
      for (const seat of seats) {
        const words = normalised(answerIn(round, seat)?.headline ?? '')
        if (!known.has(words)) known.set(words, { id, qualified: qualified.includes(seat) })
      }
    }
  }
  return known
}

/** From this version of the prompts on, an answer of the round itself stands for a camp. */
const renewingPrompts = 2

const isRenewed = ({ prompts = 1 }: Round): boolean => prompts >= renewingPrompts

/** Lets a headline of this round stand for each camp whose earlier words nobody repeats. */
const renewExemplars = (
  round: Round,
  camps: readonly CampDraft[],
  entries: readonly SharedHeadline[],
  mayBe: (camp: Camp, entry: SharedHeadline) => boolean,
): void => {
  for (const camp of camps) {
    const own = entries.filter(({ seats }) => camp.seats.includes(seats[0]))
    if (own.some(({ words }) => words === normalised(camp.headline))) continue
    const next = own.find(entry => mayBe(camp, entry))
    if (next) represent(camp, next, round)
  }
}

export const openCamps = (session: Session, round: Round, earlier: readonly Grouped[]): Grouping => {
  const camps = emptied(earlier)
  const known = [...camps]
  const found = (label: string, { seats, answer }: SharedHeadline): CampDraft => {
    const camp: CampDraft = {
      id: `c${camps.length + 1}`,
      label,
      exemplar: `${seats[0]}@${round.index}`,
      headline: answer.headline,
      seats: [],
      qualified: [],
    }
    camps.push(camp)
    return camp
  }
  const byWords = campsByWords(earlier)
  const headlines = sharedHeadlines(session, round)
  const unplaced = headlines.filter(entry => {
    const earlierCamp = byWords.get(entry.words)
    const home = camps.find(camp => camp.id === earlierCamp?.id)
    if (home) join(home, entry, earlierCamp?.qualified ?? false)
    return !home
  })
  const isSmall = session.smallModerator === true
  const renewed = isRenewed(round) && !isSmall
  const isPlain = ({ qualified }: Camp, { seats }: SharedHeadline): boolean => !qualified.includes(seats[0])
  if (renewed) renewExemplars(round, camps, headlines, isPlain)
  const related = renewed || (session.changes !== undefined && !isSmall)

  const finished = (grouping: Partial<Grouping>): Grouping => {
    if (renewed) renewExemplars(round, camps, headlines, () => true)
    const wordsOf = (seat: string): string => normalised(answerIn(round, seat)?.headline ?? '')
    // Nobody has a caveat to its own words.
    const filledCamps = filled(session, camps).map(camp => ({
      ...camp,
      qualified: camp.qualified.filter(seat => wordsOf(seat) !== normalised(camp.headline)),
    }))
    const { overlap, ...relations } =
      related && grouping.camps === undefined
        ? campRelations(session, round, filledCamps)
        : { overlap: false, compatible: [], unrelated: [] }
    const byModerator = (grouping.by ?? 'moderator') === 'moderator'
    return {
      camps: filledCamps,
      by: 'moderator',
      unplaced: [],
      pending: [],
      ...grouping,
      ...relations,
      contested: (grouping.contested ?? false) || overlap,
      unrelated:
        session.stopped || session.asLabelled || !byModerator || session.moderator === null
          ? []
          : [
              ...(grouping.unrelated ?? []),
              ...relations.unrelated,
              ...(renewed ? regroupedIn(session, round, filledCamps, earlier) : []),
            ],
    }
  }

  const trivial = unplaced.length === 0 || (unplaced.length === 1 && camps.length === 0)
  const asked = session.moderator !== null && !trivial
  const settling = { round, entries: unplaced, camps, found }
  if (asked && isSmall) {
    const sameWordingIn = ({ words }: SharedHeadline): CampDraft | undefined => {
      const earlierCamp = [...byWords].find(([before]) => hasSameWording(before, words))?.[1]
      return (
        camps.find(camp => camp.id === earlierCamp?.id) ??
        camps.find(camp => hasSameWording(camp.headline, words))
      )
    }
    const { pending, failed } = settleByChecks(settling, sameWordingIn)
    const cutShort = session.stopped !== undefined && pending.length > 0
    return finished({ weak: true, contested: failed || cutShort, pending: session.stopped ? [] : pending })
  }
  const over = ([0, 1] as const).map(pass => isOver(round.proposals[pass], unplaced))
  const enough = over.every(Boolean) || (session.asLabelled && over[0] && !hasFailed(round.proposals[0]))
  if (asked && !session.stopped && !enough) {
    return finished({ camps: [], unplaced: unplaced.map(({ seats }) => seats[0]) })
  }
  const [first, second] = proposalsIn(round)
  if (!asked || !first) {
    for (const entry of unplaced) join(found(entry.answer.headline, entry), entry, false)
    return finished({ by: trivial ? 'moderator' : 'headline' })
  }

  const stands = ({ headline, seats }: Camp): boolean =>
    !renewed || (seats.length > 0 && headlines.some(({ words }) => words === normalised(headline)))
  const checks = settle(settling, first, stands)
  const differs = second ? !samePartition([first, second], unplaced, known) : over[1] || !session.asLabelled
  const cutShort = session.stopped !== undefined && checks.pending.length > 0
  return finished({
    contested: differs || checks.failed || cutShort,
    pending: session.stopped || session.asLabelled ? [] : checks.pending,
    unrelated: related ? checks.ahead : [],
  })
}
