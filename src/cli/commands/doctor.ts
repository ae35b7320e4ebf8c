/** `doctor`: what is configured, what answers, what is wrong and how to mend it. */
import type { Command } from 'commander'
import { loadConfig } from '../../runtime/config.ts'
import { oneLine, padEnd, widthOf } from '../cells.ts'
import { checkup, type Finding } from '../checkup.ts'
import { exitCodes } from '../exit-codes.ts'
import { hanging, type Look, paragraph } from '../look.ts'
import { paintFor } from '../paint.ts'
import { sessionsFolder } from '../sessions.ts'
import type { Shell } from '../shell.ts'

const marks = { good: '✓', bad: '✗', note: '·' } as const

const findingLines = (finding: Finding, width: number, look: Look): string[] => {
  const tone = { good: look.paint.good, bad: look.paint.bad, note: look.paint.faint }[finding.state]
  const label = `${marks[finding.state]} ${padEnd(oneLine(finding.subject), width)} `
  return [
    ...hanging(label, oneLine(finding.words), 1, look, tone),
    ...(finding.advice ? paragraph(`→ ${oneLine(finding.advice)}`, width + 5, look, look.paint.strong) : []),
  ]
}

const doctor = async (shell: Shell): Promise<number> => {
  const { createRoundtable } = await import('../../runtime/roundtable.ts')
  const config = loadConfig(shell)
  const { providers } = createRoundtable({ endpoints: config.endpoints })
  const findings = await checkup(config, providers, sessionsFolder(config.data), shell.clock)
  const look = { columns: shell.stdout.columns ?? 110, paint: paintFor(shell.stdout) }
  const width = Math.max(...findings.map(finding => widthOf(oneLine(finding.subject))))
  const lines = findings.flatMap(finding => findingLines(finding, width, look))
  const wrong = findings.filter(finding => finding.state === 'bad').length
  const sum = wrong === 0 ? 'All is well.' : `${wrong} ${wrong === 1 ? 'thing is' : 'things are'} wrong.`
  shell.stdout.write(`${[...lines, '', ` ${sum}`].join('\n')}\n`)
  return wrong === 0 ? exitCodes.done : exitCodes.failed
}

export const define = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  command.action(async () => finish(await doctor(shell)))
}
