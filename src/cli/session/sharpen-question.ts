/** Has a question sharpened before it is asked: the person takes a wording, edits it, or keeps their own. */
import { clearWords, sharpenSpent } from '../../core/wording/sharpen-words.ts'
import type { Sharpened } from '../../runtime/sharpen.ts'
import { clean, oneLine, printable } from '../terminal/cells.ts'
import { Interrupted } from '../terminal/exit-codes.ts'
import { hanging, type Look, paragraph } from '../terminal/look.ts'
import { paintFor } from '../terminal/paint.ts'
import { answerOf, asking, canAsk } from '../terminal/prompting.ts'
import type { Shell } from '../terminal/shell.ts'

const interrupted = 'Interrupted: nothing was asked.'

const lookFor = (output: Shell['stdout']): Look => ({
  columns: output.columns || 80,
  paint: paintFor(output),
})

const proposalLines = ({ unclear, wordings }: Sharpened, look: Look): string[] =>
  wordings.length === 0
    ? paragraph(clearWords, 1, look)
    : [
        ...(unclear ? [...paragraph(oneLine(unclear), 1, look), ''] : []),
        ...wordings.flatMap(({ settles, wording }, index) => [
          ...hanging(`${index + 1}.`, oneLine(wording), 1, look, look.paint.strong),
          ...(settles ? paragraph(`Settles: ${oneLine(settles)}`, 4, look, look.paint.faint) : []),
        ]),
      ]

const spentLine = (sharpened: Sharpened, look: Look): string[] =>
  paragraph(oneLine(sharpenSpent(sharpened)), 1, look, look.paint.faint)

/** For a script or a pipe: nobody is there to choose, so nothing is asked of the table. */
const printProposals = (sharpened: Sharpened, json: boolean, { stdout }: Shell): void => {
  if (json) {
    stdout.write(printable(`${JSON.stringify(sharpened, null, 2)}\n`, stdout))
    return
  }
  const look = lookFor(stdout)
  const hint =
    sharpened.wordings.length === 0
      ? 'The table was not asked. To ask it, leave out --sharpen.'
      : 'The table was not asked. To ask one of these: roundtable ask "…", without --sharpen.'
  const lines = [
    ...proposalLines(sharpened, look),
    '',
    ...spentLine(sharpened, look),
    ...paragraph(hint, 1, look),
  ]
  stdout.write(`${lines.join('\n')}\n`)
}

const own = 'own'

/** The person chooses a wording, and may change it. */
const chosen = async (question: string, { wordings }: Sharpened, shell: Shell): Promise<string> => {
  const { select, text } = await import('@clack/prompts')
  const { signal } = new AbortController()
  const options = wordings.map(({ settles, wording }, index) => ({
    value: String(index),
    label: oneLine(wording),
    ...(settles && { hint: oneLine(settles) }),
  }))
  const keep = { value: own, label: `Keep mine: ${oneLine(question)}` }
  const value = answerOf(
    await select({
      message: 'Which question should be asked?',
      options: [...options, keep],
      ...asking(shell, signal),
    }),
    interrupted,
  )
  const taken = wordings[Number(value)]
  if (!taken) return question
  return answerOf(
    await text({
      message: 'Press Enter to ask it, or edit it first.',
      initialValue: clean(taken.wording),
      validate: words => (words?.trim() ? undefined : 'Write a question.'),
      ...asking(shell, signal),
    }),
    interrupted,
  ).trim()
}

/** Waits for the proposals; Ctrl-C gives up. */
const proposalsFrom = async (
  propose: (signal: AbortSignal) => Promise<Sharpened>,
  shell: Shell,
): Promise<Sharpened> => {
  const control = new AbortController()
  const stop = shell.onInterrupt(() => control.abort())
  try {
    return await propose(control.signal)
  } catch (error) {
    throw control.signal.aborted ? new Interrupted(interrupted) : error
  } finally {
    stop()
  }
}

/** The question to ask. Undefined: nobody could choose, so the proposals were printed and nothing is asked. */
export const sharpenQuestion = async (
  question: string,
  propose: (signal: AbortSignal) => Promise<Sharpened>,
  json: boolean,
  shell: Shell,
): Promise<string | undefined> => {
  const sharpened = await proposalsFrom(propose, shell)
  if (json || !canAsk(shell)) {
    printProposals(sharpened, json, shell)
    return undefined
  }
  const look = lookFor(shell.stderr)
  const { unclear, wordings } = sharpened
  const said = wordings.length === 0 ? clearWords : oneLine(unclear)
  const lines = [...(said ? paragraph(said, 1, look) : []), ...spentLine(sharpened, look)]
  shell.stderr.write(`${lines.join('\n')}\n`)
  return wordings.length === 0 ? question : chosen(question, sharpened, shell)
}
