/** How a session belongs to others, in words. */
import { type After, type Carry, type ForkedFrom, type LinkKind, parentOf } from '../log/links.ts'

/** A session of a thread, as lists show it. */
export interface ThreadSession {
  readonly id: string
  readonly question: string
  /** Null while it runs. */
  readonly line: string | null
  readonly parent: string | null
  readonly link: LinkKind | null
}

/** Above the sessions that belong together. */
export const threadTitle = 'The thread'

export const linkTitles: Readonly<Record<LinkKind, string>> = { 'follow-up': 'Follow-up', fork: 'Fork' }

/** What seats are told, for a person who chooses it. */
export const carryTitles: Readonly<Record<Carry, string>> = {
  camps: 'the verdict, the camps and the dissent',
  verdict: 'the verdict',
  none: 'nothing',
}

interface Linked {
  readonly after?: After
  readonly forkedFrom?: ForkedFrom
}

const forkNote = ({ session, round }: ForkedFrom): string =>
  round === undefined
    ? `Fork of session ${session}, from the start.`
    : `Fork of session ${session} after ${round === 0 ? 'the sealed round' : `round ${round}`}. What was said before is copied: its cost and tokens count there, not here.`

const afterNote = ({ session, carry }: After): string =>
  `Follow-up to session ${session}. Its seats were told ${carryTitles[carry]} of it.`

/** What a reader must know about where a session comes from. */
export const linkNotes = ({ after, forkedFrom }: Linked): string[] => [
  ...(after ? [afterNote(after)] : []),
  ...(forkedFrom ? [forkNote(forkedFrom)] : []),
]

/** The sessions before, as far as the log itself knows them, and the session. */
export const knownThread = ({
  id,
  question,
  line,
  ...links
}: Linked & Pick<ThreadSession, 'id' | 'question' | 'line'>): ThreadSession[] => {
  const earlier = links.after?.carried ?? []
  const parent = parentOf(links)
  const above = earlier.map(
    (one, index): ThreadSession => ({
      id: one.session,
      question: one.question,
      line: one.line,
      parent: earlier[index - 1]?.session ?? null,
      link: index > 0 ? 'follow-up' : null,
    }),
  )
  return [...above, { id, question, line, parent: parent?.session ?? null, link: parent?.kind ?? null }]
}

/** How many sessions of the thread are above this one. */
export const depthIn = (thread: readonly ThreadSession[], session: ThreadSession): number => {
  const above = new Map(thread.map(one => [one.id, one.parent]))
  let depth = 0
  for (let id = session.parent; id !== null && above.has(id) && depth < thread.length; depth++)
    id = above.get(id) ?? null
  return depth
}

const longestQuestion = 160

const shortQuestion = (question: string): string => {
  const line = question.trim().replace(/\s+/g, ' ')
  return line.length > longestQuestion ? `${line.slice(0, longestQuestion)}…` : line
}

/** One line for each session. Nothing if a session stands alone. */
export const threadTexts = (
  thread: readonly ThreadSession[],
  current: string,
): { readonly depth: number; readonly text: string }[] =>
  thread.length < 2
    ? []
    : thread.map(session => {
        const { id, question, line, link } = session
        const kind = link ? `${linkTitles[link]}: ` : ''
        const here = id === current ? ' (this session)' : ''
        return {
          depth: depthIn(thread, session),
          text: `${kind}${shortQuestion(question)} · ${line ?? 'still running'} · ${id}${here}`,
        }
      })
