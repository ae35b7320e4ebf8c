/** Who else sees the session, in the line above the question. */
import type { OwnershipReply } from '../../../api/index.ts'

const wordsOf = ({ own, visibility, by }: OwnershipReply): string => {
  if (visibility === 'private') return 'Private'
  if (own) return 'Shared with the team'
  return by === null ? 'The team’s' : `Shared by ${by}`
}

export const SharingMark = ({ ownership }: { ownership: OwnershipReply }) => (
  <>
    {' · '}
    <span className="inline-block max-w-full rounded bg-shade px-1.5 py-0.5 wrap-anywhere text-ink">
      {wordsOf(ownership)}
    </span>
  </>
)
