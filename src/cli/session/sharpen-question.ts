/** Has a question sharpened before it is asked: the person takes a wording, edits it, or keeps their own. */
import { clearWords, sharpenSpent } from '../../core/wording/sharpen-words.ts'
import type { Sharpened } from '../../runtime/sharpen.ts'
import type { AskInput } from '../../table/ask-input.ts'
import { clean, cut, oneLine, printable } from '../terminal/cells.ts'
import { Interrupted } from '../terminal/exit-codes.ts'
import { hanging, type Look, paragraph, room } from '../terminal/look.ts'
import { paintFor } from '../terminal/paint.ts'
import { programName } from '../terminal/program-name.ts'
import { answerOf, asking, canAsk } from '../terminal/prompting.ts'
import type { Shell } from '../terminal/shell.ts'

const interrupted = 'Interrupted: nothing was asked.'

const lookFor = (output: Shell['stdout']): Look => ({
  columns: output.columns || 80,
  paint: paintFor(output),
})

const wordingLines = ({ unclear, wordings }: Sharpened, look: Look): string[] => [
  ...(unclear ? [...paragraph(oneLine(unclear), 1, look), ''] : []),
  ...wordings.flatMap(({ settles, wording }, index) => [
    ...hanging(`${index + 1}.`, oneLine(wording), 1, look, look.paint.strong),
    ...(settles ? paragraph(`Settles: ${oneLine(settles)}`, 4, look, look.paint.faint) : []),
  ]),
]

/** The proposals, and what they cost. */
const proposalLines = (sharpened: Sharpened, look: Look): string[] => [
  ...(sharpened.wordings.length > 0 ? wordingLines(sharpened, look) : paragraph(clearWords, 1, look)),
  '',
  ...paragraph(oneLine(sharpenSpent(sharpened)), 1, look, look.paint.faint),
]

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
      : `The table was not asked. To ask one of these: ${programName()} ask "…", without --sharpen.`
  stdout.write(`${[...proposalLines(sharpened, look), ...paragraph(hint, 1, look)].join('\n')}\n`)
}

const own = 'own'

/** The person chooses a wording, and may change it. */
const chosen = async (question: string, { wordings }: Sharpened, shell: Shell): Promise<string> => {
  const { select, text } = await import('@clack/prompts')
  const { signal } = new AbortController()
  // They stand above in full; a label that wraps would push others out of the list.
  const label = (words: string): string => cut(oneLine(words), room(lookFor(shell.stderr)) - 6)
  const options = wordings.map(({ wording }, index) => ({
    value: String(index),
    label: label(`${index + 1}. ${wording}`),
  }))
  const keep = { value: own, label: label(`Keep mine: ${question}`) }
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
const sharpenQuestion = async (
  question: string,
  propose: (signal: AbortSignal) => Promise<Sharpened>,
  json: boolean,
  shell: Shell,
): Promise<string | undefined> => {
  const choosing = !json && canAsk(shell)
  if (choosing) shell.stderr.write(' The moderator reads the question …\n\n')
  const sharpened = await proposalsFrom(propose, shell)
  if (!choosing) {
    printProposals(sharpened, json, shell)
    return undefined
  }
  const { wordings } = sharpened
  const look = lookFor(shell.stderr)
  shell.stderr.write(`${proposalLines(sharpened, look).join('\n')}\n`)
  return wordings.length === 0 ? question : chosen(question, sharpened, shell)
}

/** The request with the question that the person chose. Undefined: nobody could choose, and nothing is asked. */
export const sharpenedInput = async (
  input: AskInput,
  propose: (signal: AbortSignal) => Promise<Sharpened>,
  { json = false }: { readonly json?: boolean },
  shell: Shell,
): Promise<AskInput | undefined> => {
  const question = await sharpenQuestion(input.question, propose, json, shell)
  return question === undefined ? undefined : { ...input, question }
}
