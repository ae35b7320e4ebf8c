/** What a seat is asked when it has read everybody. */

import { answerBefore, type Session, seatOf } from '../../core/log/state.ts'
import { replyShape } from '../../core/question/reply.ts'
import { shuffled } from '../../core/random.ts'
import {
  briefPart,
  fenced,
  howToJoin,
  howToRevise,
  ownText,
  peerText,
  questionPart,
  system,
} from '../brief.ts'
import type { Prompt } from '../protocol.ts'
import { sealedPrompt } from '../sealed.ts'
import { smallPrompt } from '../small-model-prompts.ts'

/** Each seat reads its peers in an order of its own, so that no place at the table is the first for all. */
export const revisePrompt = (session: Session, seat: string, round: number): Prompt => {
  if (seatOf(session, seat).small) return smallPrompt(session, seat, round)
  const place = `round ${round} seat ${seat}`
  const peers = session.seats.flatMap(peer => {
    const answer = peer.id === seat ? undefined : answerBefore(session, round, peer.id)
    return answer ? [peerText(session, peer.id, answer)] : []
  })
  const own = answerBefore(session, round, seat)
  if (peers.length === 0 && !own) return sealedPrompt(session, seat)
  return {
    system: system(session),
    user: [
      questionPart(session.question),
      fenced(session, place, shuffled(peers, `${session.seed} ${place}`)),
      ...(own ? [ownText(session, seat, own)] : []),
      ...briefPart(session, seat),
      own ? howToRevise : howToJoin,
    ],
    shape: replyShape(session.question, own !== undefined),
  }
}
