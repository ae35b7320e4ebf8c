/** `resolve`: tells a saved session which answer turned out to be right. */
import type { Command } from 'commander'
import { wasRight } from '../../core/camps/resolution.ts'
import { resolved } from '../../core/log/interjection.ts'
import { stamped } from '../../core/log/stamp.ts'
import { apply, fold, roundAt, type Session } from '../../core/log/state.ts'
import { verdictOf } from '../../core/verdict/verdict.ts'
import { idOf, withArchive } from '../archive/sessions.ts'
import { oneLine } from '../terminal/cells.ts'
import type { Shell } from '../terminal/shell.ts'

const rightNames = (session: Session): string => {
  const last = roundAt(session, verdictOf(session).final?.round ?? -1)
  const names = session.seats.filter(({ id }) => wasRight(session, last, id)).map(({ name }) => oneLine(name))
  return names.length > 0 ? names.join(', ') : 'nobody'
}

const resolve = (name: string, answer: string, shell: Shell): Promise<void> =>
  withArchive(shell, async archive => {
    const id = await idOf(name, archive)
    const session = fold(await archive.read(id))
    const event = stamped(resolved(session, answer), session.position, shell.clock)
    await archive.append(id, [event])
    const after = apply(session, event)
    shell.stdout.write(`${id}: right was ${oneLine(after.resolved?.answer ?? '')}. At the end right: ${rightNames(after)}.
\`roundtable stats\` shows what that says of each model.\n`)
  })

export const define = (command: Command, shell: Shell): void => {
  command
    .addHelpText(
      'after',
      '\nThe answer is an option, a number, an order ("a > b > c"), or for open questions a position by its id or\nits words; "none" where nobody was right. Told again, it corrects what was told before.',
    )
    .action((name: string, words: readonly string[]) => resolve(name, words.join(' '), shell))
}
