/** `doctor`: shows what is configured, what answers, what is wrong and how to fix it. */
import type { Command } from 'commander'
import { counted } from '../../core/wording/numbers.ts'
import { checkData, diagnose, type Finding } from '../../table/doctor.ts'
import { archiveFolder } from '../archive/sessions.ts'
import { oneLine, padEnd, widthOf } from '../terminal/cells.ts'
import { configAt } from '../terminal/config.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { hanging, type Look, paragraph } from '../terminal/look.ts'
import { paintFor } from '../terminal/paint.ts'
import { programName } from '../terminal/program-name.ts'
import type { Shell } from '../terminal/shell.ts'

const marks = { good: '✓', bad: '✗', note: '·' } as const

interface Widths {
  readonly subject: number
  readonly key: number
}

const findingLines = (finding: Finding, widths: Widths, look: Look): string[] => {
  const tone = { good: look.paint.good, bad: look.paint.bad, note: look.paint.faint }[finding.state]
  const key = finding.key === undefined ? '' : ` ${padEnd(finding.key, widths.key)} `
  const label = `${marks[finding.state]} ${padEnd(oneLine(finding.subject), widths.subject)} ${key}`
  return [
    ...hanging(label, oneLine(finding.words), 1, look, tone),
    ...(finding.advice
      ? paragraph(`→ ${oneLine(finding.advice)}`, widths.subject + 5, look, look.paint.strong)
      : []),
  ]
}

const widest = (words: readonly string[]): number => Math.max(0, ...words.map(word => widthOf(oneLine(word))))

const doctor = async (shell: Shell): Promise<number> => {
  const { openReach } = await import('../../table/open-reach.ts')
  const { houseModels } = await import('../../table/house-models.ts')
  const reach = await openReach(await configAt(shell), shell)
  const { config } = reach
  // Lists of models say which ones are about to be retired.
  await reach.refresh()
  const models = await houseModels(config, shell.cwd)
  const data = checkData(archiveFolder(config.data), config.env)
  const findings = await diagnose(config, reach, data, models, shell.clock)
  const look = { columns: shell.stdout.columns ?? 110, paint: paintFor(shell.stdout) }
  const widths = {
    // The name of a model that can't be seated may be long; it must not push everything else to the right.
    subject: Math.min(24, widest(findings.map(finding => finding.subject))),
    key: widest(findings.map(finding => finding.key ?? '')),
  }
  const lines = findings.flatMap(finding => findingLines(finding, widths, look))
  const wrong = findings.filter(finding => finding.state === 'bad').length
  const sum = wrong === 0 ? 'No problems found.' : `${counted(wrong, 'problem')} found.`
  const hint = findings.some(({ download }) => download)
    ? ['', ` To download a built-in model: ${programName()} house download <name>`]
    : []
  const leaving = findings.flatMap(({ letterOf }) =>
    letterOf === undefined
      ? []
      : ` To ask for its letter: ${programName()} letters ask --seats "${oneLine(letterOf)}"`,
  )
  shell.stdout.write(
    `${[...lines, ...hint, ...(leaving.length > 0 ? ['', ...leaving] : []), '', ` ${sum}`].join('\n')}\n`,
  )
  return wrong === 0 ? exitCodes.done : exitCodes.failed
}

export const define = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  command.action(async () => finish(await doctor(shell)))
}
