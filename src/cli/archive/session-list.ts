/** Saved sessions as a list on the screen. */
import type { Listed } from '../../store/store.ts'
import { cut, oneLine, padEnd, printable } from '../terminal/cells.ts'
import { type Look, room } from '../terminal/look.ts'
import { paintFor } from '../terminal/paint.ts'
import { programName } from '../terminal/program-name.ts'
import type { Shell } from '../terminal/shell.ts'

type Running = readonly string[] | undefined

/** An unfinished session that nobody runs was cut off by a crash, and can be resumed. */
const unfinished = (id: string, running: Running): string => {
  if (!running) return 'not finished'
  return running.includes(id) ? 'running' : `cut off: ${programName()} resume ${id}`
}

const listedLines = (session: Listed, running: Running, look: Look): string[] => {
  const opened = oneLine(session.openedAt)
  const day = `${opened.slice(0, 10)} ${opened.slice(11, 16)}`
  const line = oneLine(session.line ?? unfinished(session.id, running))
  const words = cut(line, Math.max(20, room(look) - 35))
  return [
    ` ${look.paint.strong(padEnd(oneLine(session.id), 16))} ${look.paint.faint(day)}  ${words}`,
    ` ${' '.repeat(16)} ${cut(oneLine(session.question), room(look) - 18)}`,
  ]
}

const nothingSaved = `No sessions are saved yet. Ask something, or try \`${programName()} tour\`.`

export const writeSessions = (
  { sessions, running }: { readonly sessions: readonly Listed[]; readonly running: Running },
  flags: { readonly json?: boolean },
  shell: Shell,
  nothing = nothingSaved,
): void => {
  if (flags.json) {
    shell.stdout.write(printable(`${JSON.stringify(sessions, null, 2)}\n`, shell.stdout))
    return
  }
  const look = { columns: shell.stdout.columns || 80, paint: paintFor(shell.stdout) }
  const lines = sessions.flatMap(session => listedLines(session, running, look))
  shell.stdout.write(`${(lines.length > 0 ? lines : [` ${nothing}`]).join('\n')}\n`)
}
