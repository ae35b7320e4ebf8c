/** `resolve`: records the right answer in a saved session, once it is known. */
import type { Command } from 'commander'
import { wasRight } from '../../core/camps/resolution.ts'
import { resolved } from '../../core/log/interjection.ts'
import { stamped } from '../../core/log/stamp.ts'
import { apply, fold, roundAt, type Session } from '../../core/log/state.ts'
import { verdictOf } from '../../core/verdict/verdict.ts'
import { idOf, withArchive } from '../archive/sessions.ts'
import { oneLine } from '../terminal/cells.ts'
import { programName } from '../terminal/program-name.ts'
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
    shell.stdout.write(`${id}: the right answer is ${oneLine(after.resolved?.answer ?? '')}. Right at the end: ${rightNames(after)}.
To see the track record of each model: ${programName()} stats\n`)
  })

export const define = (command: Command, shell: Shell): void => {
  command
    .addHelpText(
      'after',
      '\nThe answer is an option, a number, or a ranking ("a > b > c"). For an open question it is the id or the words of a\nposition. Use "none" if nobody was right. Run it again to correct the answer.',
    )
    .action((name: string, words: readonly string[]) => resolve(name, words.join(' '), shell))
}
