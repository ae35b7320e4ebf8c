/** `kind`: corrects what kind of question a saved session is about. */
import type { Command } from 'commander'
import { UsageError } from '../../core/errors.ts'
import { kindCorrected } from '../../core/log/interjection.ts'
import { stamped } from '../../core/log/stamp.ts'
import { fold } from '../../core/log/state.ts'
import { type Kind, kinds, kindWords } from '../../core/question/kind.ts'
import { kindSentence } from '../../core/wording/kind-words.ts'
import { idOf, withArchive } from '../archive/sessions.ts'
import type { Shell } from '../terminal/shell.ts'

const kindFrom = (word: string): Kind => {
  const kind = kinds.find(one => one === word.toLowerCase())
  if (kind) return kind
  throw new UsageError(`"${word}" isn't a kind of question: give one of ${kinds.join(', ')}.`)
}

const correct = (name: string, word: string, shell: Shell): Promise<void> => {
  const kind = kindFrom(word)
  return withArchive(shell, async archive => {
    const id = await idOf(name, archive)
    const session = fold(await archive.read(id))
    await archive.append(id, [stamped(kindCorrected(session, kind), session.position, shell.clock)])
    shell.stdout.write(`${id}: ${kindSentence(kind, 'asker')}\n`)
  })
}

export const define = (command: Command, shell: Shell): void => {
  const lines = kinds.map(kind => `  ${kind.padEnd(10)} ${kindWords[kind]}`)
  command
    .addHelpText('after', `\nKinds:\n${lines.join('\n')}`)
    .action((name: string, word: string) => correct(name, word, shell))
}
