/** What a seat is asked after it has read everybody. */

import { answerBefore, type Session } from '../../core/log/state.ts'
import { shuffled } from '../../core/random.ts'
import { openRoundPrompt } from '../open-round-prompt.ts'
import { peerText } from '../prompt-parts.ts'
import type { Prompt } from '../protocol.ts'
import { sealedPrompt } from '../sealed-prompt.ts'
import { isText, textPrompt } from '../text-prompt.ts'

/** Each seat reads its peers in an order of its own, so that nobody comes first for everybody. */
export const revisePrompt = (session: Session, seat: string, round: number): Prompt => {
  if (isText(session)) return textPrompt(session, seat, round)
  const peers = session.seats.flatMap(peer => {
    const answer = peer.id === seat ? undefined : answerBefore(session, round, peer.id)
    return answer ? [peerText(session, peer.id, answer)] : []
  })
  if (peers.length === 0 && !answerBefore(session, round, seat)) return sealedPrompt(session, seat)
  const fence = `round ${round} seat ${seat}`
  return openRoundPrompt(session, seat, round, {
    fence,
    lines: shuffled(peers, `${session.seed} ${fence}`),
    task: howToAnswer => [howToAnswer],
  })
}
