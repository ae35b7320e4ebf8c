/** `show`: a saved session on the screen, or the list of them. */
import type { Command } from 'commander'
import { fold } from '../../core/state.ts'
import type { Listed } from '../../store/store.ts'
import { cut, oneLine, padEnd } from '../cells.ts'
import { header } from '../header.ts'
import { type Look, room } from '../look.ts'
import { paintFor } from '../paint.ts'
import { roundView } from '../round-view.ts'
import { sessionNamed, storeFor } from '../sessions.ts'
import type { Shell } from '../shell.ts'
import { verdictView } from '../verdict-view.ts'

interface ShowFlags {
  readonly full?: boolean
  readonly json?: boolean
}

const lookFor = (shell: Shell): Look => ({
  columns: shell.stdout.columns ?? 80,
  paint: paintFor(shell.stdout),
})

const listedLines = (session: Listed, look: Look): string[] => {
  const day = `${session.openedAt.slice(0, 10)} ${session.openedAt.slice(11, 16)}`
  const line = oneLine(session.line ?? 'not finished')
  const words = cut(line, Math.max(20, room(look) - 35))
  return [
    ` ${look.paint.strong(padEnd(session.id, 16))} ${look.paint.faint(day)}  ${words}`,
    ` ${' '.repeat(16)} ${cut(oneLine(session.question), room(look) - 18)}`,
  ]
}

const list = async (flags: ShowFlags, shell: Shell): Promise<void> => {
  const sessions = await storeFor(shell).list()
  if (flags.json) {
    shell.stdout.write(`${JSON.stringify(sessions, null, 2)}\n`)
    return
  }
  const lines = sessions.flatMap(session => listedLines(session, lookFor(shell)))
  const nothing = [' No session is saved yet: ask something, or try `roundtable tour`.']
  shell.stdout.write(`${(lines.length > 0 ? lines : nothing).join('\n')}\n`)
}

const show = async (name: string, flags: ShowFlags, shell: Shell): Promise<void> => {
  const events = await sessionNamed(name, shell)
  if (flags.json) {
    const { exporterNamed } = await import('../../exports/index.ts')
    shell.stdout.write(exporterNamed('json').write(events))
    return
  }
  const session = fold(events)
  const look = { ...lookFor(shell), full: flags.full }
  const rounds = session.roundsSoFar.flatMap(round => roundView(session, round, look))
  shell.stdout.write(`${[...header(session, look), ...rounds, ...verdictView(session, look)].join('\n')}\n`)
}

export const define = (command: Command, shell: Shell): void => {
  command
    .option('--full', 'with the reasoning of every answer')
    .option('--json', 'as JSON')
    .action(async (name: string | undefined, flags: ShowFlags) =>
      name === undefined ? list(flags, shell) : show(name, flags, shell),
    )
}
