/** The claims on a terminal, each with what was found and what it needs. */
import { counted } from '../../src/core/basics.ts'
import { hanging, type Look } from '../../src/terminal/terminal.ts'
import type { Check } from './check.ts'
import type { Simulation } from './index.ts'

const checkLines = ({ holds, claim, figure, expected }: Check, look: Look): string[] => [
  '',
  ...hanging(holds ? '✓' : '✗', claim, 1, look, holds ? look.paint.good : look.paint.bad),
  ...hanging('found:', figure, 3, look, look.paint.strong),
  ...hanging('needed:', expected, 3, look, look.paint.faint),
]

export const simulationLines = ({ checks, recorded, questions }: Simulation, look: Look): string[] => {
  const failed = checks.filter(check => !check.holds).length
  const source =
    recorded.length > 0
      ? `open rounds played on recorded votes of ${counted(recorded.length, 'seat')}`
      : 'all seats simulated'
  return [
    look.paint.strong(` ${counted(questions, 'question')} for each check, ${source}`),
    ...checks.flatMap(check => checkLines(check, look)),
    '',
    failed === 0 ? ` ${checks.length} claims hold` : ` ${failed} of ${checks.length} claims don't hold`,
  ]
}
