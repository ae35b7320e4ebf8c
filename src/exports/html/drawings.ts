/** The table and the flow, drawn as on the pages. */
import { campNumbers, hasCamps } from '../../core/camps/standings.ts'
import { campPatterns } from '../../core/drawing/camp-patterns.ts'
import { flowDrawing } from '../../core/drawing/flow.ts'
import { shape, svgText } from '../../core/drawing/shape.ts'
import { tableDrawing } from '../../core/drawing/table.ts'
import { fold } from '../../core/log/state.ts'
import type { SessionDocument } from '../document.ts'

/** Nobody grouped the answers of an imported transcript: a drawing of camps would claim it. */
export const drawings = ({ events, imported }: SessionDocument): string => {
  const session = fold(events)
  if (imported || !hasCamps(session) || session.roundsSoFar.length === 0) return ''
  const numbers = campNumbers(session)
  const flow = flowDrawing(session, numbers)
  const patterns = shape('svg', { width: 0, height: 0, 'aria-hidden': 'true' }, campPatterns(numbers.size))
  return [
    svgText(patterns),
    '<div class="drawings">',
    `<figure>${svgText(tableDrawing(session, numbers))}</figure>`,
    flow ? `<figure>${svgText(flow)}</figure>` : '',
    '</div>',
  ].join('')
}
