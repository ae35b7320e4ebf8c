/** `ask`: asks a table of models a question. */

import type { Command } from 'commander'
import { UsageError } from '../core/basics.ts'
import { stamped } from '../core/event.ts'
import { apply, fold } from '../core/fold.ts'
import { type Kind, kinds, kindWords } from '../core/form.ts'
import { roundAt, type Session } from '../core/session.ts'
import { askerSaid, kindCorrected, resolved } from '../count/acts.ts'
import { wasRight } from '../count/moves.ts'
import { verdictOf } from '../count/verdict.ts'
import type { Sharpened } from '../run/runtime.ts'
import type { Shared } from '../store/shared.ts'
import { PositionTaken } from '../store/store.ts'
import { type AskInput, wantsOwnSeat } from '../table/ask.ts'
import type { Opening } from '../table/resolve.ts'
import type { ListedTemplate } from '../table/templates.ts'
import { clearWords, kindSentence, sharpenSpent } from '../words/asking.ts'
import { saidReply } from '../words/moves.ts'
import { idOf, withArchive } from './archive.ts'
import { type AskFlags, type AskTableFlags, addAskOptions, addTableOptions } from './ask-flags.ts'
import { Interrupted, programName } from './program-name.ts'
import type { OutputFlags, Show } from './run-session.ts'
import {
  answerOf,
  asking,
  canAsk,
  clean,
  cut,
  hanging,
  type Look,
  oneLine,
  paintFor,
  paragraph,
  printable,
  type Remarks,
  room,
  type Shell,
  several,
} from './terminal.ts'

/** Somebody who has a seat must be there to answer. */
const checkOwnSeat = (input: AskInput, flags: AskTableFlags, shell: Shell): void => {
  if (!wantsOwnSeat(input)) return
  if (flags.json || flags.events || flags.repeat !== undefined || !canAsk(shell))
    throw new UsageError(
      'A seat for "me" needs a terminal to ask you on, without --json, --events and --repeat.',
    )
}

const withBooks = async (input: AskInput, archive: Shared): Promise<AskInput> =>
  input.letters
    ? { ...input, letters: await (await import('./archive.ts')).booksNamed(input.letters, archive) }
    : input

const checkFlags = (flags: AskTableFlags): void => {
  if (flags.sharpen && flags.events) throw new UsageError('--sharpen and --events cannot be used together.')
  if (flags.repeat !== undefined && flags.after !== undefined)
    throw new UsageError('--repeat and --after cannot be used together.')
  if (flags.carry !== undefined && flags.after === undefined)
    throw new UsageError('--carry says what is told of a session before: name it with --after.')
}

/** Asks a table what a request says, here or on the server that holds the archive. */
export const askTable = async (input: AskInput, flags: AskTableFlags, shell: Shell): Promise<number> => {
  const [{ configAt }, { idOf, withArchive }, { createRemarks }, { checkOutput }] = await Promise.all([
    import('./config.ts'),
    import('./archive.ts'),
    import('./terminal.ts'),
    import('./run-session.ts'),
  ])
  checkOutput(flags)
  const config = await configAt(shell)
  checkOwnSeat(input, flags, shell)
  const remarks = createRemarks()
  const run = async (archive: Shared): Promise<number> => {
    const after = flags.after === undefined ? {} : { after: await idOf(flags.after, archive) }
    const asked = { ...(await withBooks(input, archive)), ...after }
    const server = flags.repeat === undefined ? await archive.server() : undefined
    if (server) {
      const { askServer } = await import('./ask-server.ts')
      return askServer(server, asked, config, archive, flags, shell, remarks)
    }
    const { askHere } = await import('./ask-here.ts')
    return askHere(asked, config, archive, flags, shell, remarks)
  }
  return withArchive(shell, run, { listen: true, moved: remarks.tell })
}

const ask = async (given: string | undefined, flags: AskTableFlags, shell: Shell): Promise<number> => {
  const [{ configAt }, { requestFrom }, { checkOutput }] = await Promise.all([
    import('./config.ts'),
    import('./ask-flags.ts'),
    import('./run-session.ts'),
  ])
  checkOutput(flags)
  checkFlags(flags)
  return askTable(await requestFrom(given, flags, await configAt(shell), shell), flags, shell)
}

export const defineAsk = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  addAskOptions(command).action(async (question: string | undefined, flags: AskTableFlags) =>
    finish(await ask(question, flags, shell)),
  )
}

// fork: `fork`: asks a session's question anew, or goes on from the close of one of its rounds, with what is changed.

interface Flags extends AskFlags, OutputFlags {
  readonly at?: string
  readonly question?: string
  readonly yes?: boolean
}

const roundFrom = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  if (/^\d{1,2}$/.test(text)) return Number(text)
  throw new UsageError(`--at ${text}: give the number of a closed round; 0 is the sealed one.`)
}

const forkHere = async (
  id: string,
  at: number | undefined,
  changes: Partial<AskInput>,
  archive: Shared,
  flags: Flags,
  shell: Shell,
  remarks: Remarks,
): Promise<number> => {
  const [
    { forkAt, openReach, resolveAsk },
    { forkOf },
    { dayId },
    { askerAt },
    { owningRuns },
    { fold },
    { configAt },
    { createRuntime },
    { runSession },
  ] = await Promise.all([
    import('../table/index.ts'),
    import('../table/fork.ts'),
    import('../run/run.ts'),
    import('./ask-flags.ts'),
    import('./archive.ts'),
    import('../core/fold.ts'),
    import('./config.ts'),
    import('../run/runtime.ts'),
    import('./run-session.ts'),
  ])
  const { cwd, clock } = shell
  const config = await configAt(shell)
  const log = await archive.read(id)
  const input = forkOf(fold(log), changes)
  const reach = await openReach(config, { cwd, clock, ask: input })
  const asker = askerAt(archive, config, shell, flags)
  const newId = dayId(clock)()
  const settle = (wish: AskInput): Promise<Opening> => resolveAsk(wish, newId, reach, asker)
  const opening = await (at === undefined ? settle(input) : forkAt(log, at, changes, reach, settle))
  const { providers, protocols, searcher } = reach
  const runtime = createRuntime({ providers, protocols, searcher, store: owningRuns(archive), clock })
  const over = new AbortController()
  reach.refreshBeside(over.signal)
  try {
    const start = (signal: AbortSignal) => runtime.begin(opening, signal)
    return await runSession({ estimate: opening.estimate, start, earlier: archive }, flags, shell, remarks)
  } finally {
    over.abort()
  }
}

const fork = async (name: string, flags: Flags, shell: Shell): Promise<number> => {
  const [{ idOf, withArchive }, { tableInput }, { createRemarks }, { checkOutput, showSession }] =
    await Promise.all([
      import('./archive.ts'),
      import('./ask-flags.ts'),
      import('./terminal.ts'),
      import('./run-session.ts'),
    ])
  checkOutput(flags)
  const at = roundFrom(flags.at)
  const { question } = flags
  const table = tableInput(flags, shell.cwd)
  const changes = { ...table, ...(question !== undefined && { question }) }
  const remarks = createRemarks()
  return withArchive(
    shell,
    async archive => {
      const id = await idOf(name, archive)
      const server = await archive.server()
      if (!server) return forkHere(id, at, changes, archive, flags, shell, remarks)
      const { remoteSessions } = await import('../client/client.ts')
      const sessions = remoteSessions(server, { away: remarks.tell })
      const start = (signal: AbortSignal) => sessions.fork(id, { ...changes, at }, signal)
      return showSession({ start, remarks, earlier: archive }, flags, shell)
    },
    { listen: true, moved: remarks.tell },
  )
}

export const defineFork = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  addTableOptions(
    command
      .option(
        '--at <round>',
        'go on from the close of this round (0: the sealed one); without it, the question is asked anew',
      )
      .option('--question <text>', 'another wording of the question; only without --at'),
  )
    .option('--yes', 'download the built-in model without asking, if the session needs it')
    .option('--out <file>', 'also write the session to a .json, .md, .html or .txt file')
    .option('--json', 'print only the session, as one JSON document')
    .option('--events', 'print each event as a line of JSON, starting with the first one')
    .addHelpText(
      'after',
      '\nWith --at, what was said up to that round is copied: only the calls after it are made, paid and counted.',
    )
    .action(async (name: string, flags: Flags) => finish(await fork(name, flags, shell)))
}

// kind: `kind`: corrects what kind of question a saved session is about.

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

export const defineKind = (command: Command, shell: Shell): void => {
  const lines = kinds.map(kind => `  ${kind.padEnd(10)} ${kindWords[kind]}`)
  command
    .addHelpText('after', `\nKinds:\n${lines.join('\n')}`)
    .action((name: string, word: string) => correct(name, word, shell))
}

// resolve: `resolve`: records the right answer in a saved session, once it is known.

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

export const defineResolve = (command: Command, shell: Shell): void => {
  command
    .addHelpText(
      'after',
      '\nThe answer is an option, a number, or a ranking ("a > b > c"). For an open question it is the id or the words of a\nposition. Use "none" if nobody was right. Run it again to correct the answer.',
    )
    .action((name: string, words: readonly string[]) => resolve(name, words.join(' '), shell))
}

// resume: `resume`: continues a session that was stopped, or interrupted by a crash.

type ResumeFlags = OutputFlags & { readonly yes?: boolean; readonly file?: readonly string[] }

/** A server resumes stopped sessions and shows those it runs. It doesn't know about a session that crashed elsewhere. */
const onServer = async (
  id: string,
  archive: Shared,
  remarks: Remarks,
): Promise<Show['start'] | undefined> => {
  const server = await archive.server()
  if (!server) return undefined
  const [{ remoteSessions }, { fold }] = await Promise.all([
    import('../client/client.ts'),
    import('../core/fold.ts'),
  ])
  const log = await archive.read(id)
  const sessions = remoteSessions(server, { away: remarks.tell })
  if (fold(log).outcome) return signal => sessions.resume(id, log.length - 1, signal)
  const isRun = (await archive.running())?.includes(id)
  return isRun ? signal => sessions.follow(id, log.length - 1, signal) : undefined
}

const resume = async (name: string, flags: ResumeFlags, shell: Shell): Promise<number> => {
  const [{ idOf, withArchive }, { showSession, checkOutput }, { createRemarks }, { resumeHere }] =
    await Promise.all([
      import('./archive.ts'),
      import('./run-session.ts'),
      import('./terminal.ts'),
      import('./resume-here.ts'),
    ])
  checkOutput(flags)
  const remarks = createRemarks()
  return withArchive(
    shell,
    async archive => {
      const id = await idOf(name, archive)
      const start = await onServer(id, archive, remarks)
      if (start) return showSession({ start, remarks, earlier: archive }, flags, shell)
      const here = await resumeHere(id, archive, shell, flags)
      const { start: begin, own } = here
      return showSession(
        { start: begin, ...(own && { own }), remarks, earlier: archive },
        flags,
        shell,
      ).finally(here.leave)
    },
    { listen: true, moved: remarks.tell },
  )
}

export const defineResume = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  command
    .option('--yes', 'download the built-in model without asking, if the session needs it')
    .option(
      '--file <path>',
      'a model file that the session may load; repeat the flag for more files',
      several,
    )
    .option('--out <file>', 'also write the session to a .json, .md, .html or .txt file')
    .option('--json', 'print only the session, as one JSON document')
    .option('--events', 'print each event as a line of JSON, starting with the first one')
    .addHelpText('after', '\nAnswers that were already given are kept: no model is asked for them again.')
    .action(async (name: string, flags: ResumeFlags) => finish(await resume(name, flags, shell)))
}

// say: `say`: adds a word of the asker to a session that runs. Seats read it in the next round, if one follows.

/** The session may grow between reading and writing. */
const mostTries = 8

/** Whoever runs the session finds the word in its log. */
const appended = async (
  archive: Shared,
  id: string,
  words: string,
  to: string | undefined,
  shell: Shell,
): Promise<number> => {
  for (let tries = 1; ; tries++) {
    const session = fold(await archive.read(id))
    const event = stamped(askerSaid(session, words, to), session.position, shell.clock)
    try {
      await archive.append(id, [event])
      return event.position
    } catch (error) {
      if (!PositionTaken.isInstance(error) || tries === mostTries) throw error
    }
  }
}

const postedSay = async (
  server: Parameters<typeof import('../client/client.ts').connectTo>[0],
  id: string,
  words: string,
  to: string | undefined,
): Promise<number> => {
  const [{ connectTo }, { acceptedSchema }] = await Promise.all([
    import('../client/client.ts'),
    import('../api/sessions.ts'),
  ])
  const body = { words, ...(to !== undefined && { to }) }
  return acceptedSchema.parse(await connectTo(server).post(`/api/sessions/${id}/say`, body)).position
}

const say = (name: string, words: string, to: string | undefined, shell: Shell): Promise<void> =>
  withArchive(shell, async archive => {
    const id = await idOf(name, archive)
    const server = await archive.server()
    const position = await (server
      ? postedSay(server, id, words, to)
      : appended(archive, id, words, to, shell))
    // What the table was at when it heard the words.
    const session = fold((await archive.read(id)).slice(0, position + 1))
    shell.stdout.write(`${id}: said. ${saidReply(session)}\n`)
  })

export const defineSay = (command: Command, shell: Shell): void => {
  command
    .option('--to <seat>', 'only for one seat: its letter or its name')
    .action((name: string, words: readonly string[], flags: { readonly to?: string }) =>
      say(name, words.join(' '), flags.to, shell),
    )
}

// sharpenQuestion: Has a question sharpened before it is asked: the person takes a wording, edits it, or keeps their own.

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

// `templates` lists, shows, saves and deletes questions with blanks.

interface TemplateFlags extends AskFlags {
  readonly about?: string
  readonly instruction?: string
  readonly json?: boolean
}

const templateActions = ['list', 'show', 'save', 'delete'] as const

const templateRow = ({ name, origin, template, blanks }: ListedTemplate): string => {
  const own = origin === 'saved' ? ' (yours)' : ''
  const fill = blanks.map(blank => `--fill ${blank}=…`).join(' ')
  return [` ${oneLine(name)}${own}`, `   ${oneLine(template.about ?? template.question)}`, `   ${fill}`]
    .filter(line => line.trim() !== '')
    .join('\n')
}

const needed = (value: string | undefined, what: string): string => {
  if (value !== undefined) return value
  throw new UsageError(`Give ${what}.`)
}

const runTemplates = async (
  action: string,
  name: string | undefined,
  question: string | undefined,
  flags: TemplateFlags,
  shell: Shell,
): Promise<void> => {
  const [{ listTemplates, removeTemplate, saveTemplate, templateNamed }, { configAt }, { tableInput }] =
    await Promise.all([import('../table/templates.ts'), import('./config.ts'), import('./ask-flags.ts')])
  const { data } = await configAt(shell)
  const print = (text: string): void => void shell.stdout.write(`${text}\n`)
  switch (templateActions.find(one => one === action)) {
    case 'list': {
      const found = listTemplates(data)
      if (flags.json) return print(JSON.stringify(found, null, 2))
      for (const problem of found.problems) shell.stderr.write(`${oneLine(problem)}\n`)
      return print(found.templates.map(templateRow).join('\n'))
    }
    case 'show': {
      const { template, blanks } = templateNamed(listTemplates(data), needed(name, 'the name of a template'))
      if (flags.json) return print(JSON.stringify(template, null, 2))
      const { question: text, ...rest } = template
      const settings = Object.entries(rest).map(([field, value]) => `${field}: ${JSON.stringify(value)}`)
      const named = blanks.length > 0 ? [`blanks: ${blanks.join(', ')}`] : []
      return print([clean(text), '', ...[...settings, ...named].map(oneLine)].join('\n'))
    }
    case 'save': {
      const { carry: _carry, seed: _seed, attachments: _files, ...table } = tableInput(flags, shell.cwd)
      const { about, instruction } = flags
      const asked = needed(question, 'a question, with blanks as {{name}}')
      saveTemplate(
        data,
        needed(name, 'a name for the template'),
        JSON.parse(JSON.stringify({ ...table, about, instruction, question: asked })),
      )
      return print(`Saved the template "${oneLine(name ?? '')}".`)
    }
    case 'delete':
      removeTemplate(data, needed(name, 'the name of a template'))
      return print(`Deleted the template "${oneLine(name ?? '')}".`)
    case undefined:
      throw new UsageError(`templates ${action}: choose one of ${templateActions.join(', ')}.`)
  }
}

export const defineTemplates = (command: Command, shell: Shell): void => {
  addTableOptions(command)
    .option('--about <text>', 'what the template is for, in one line')
    .option('--instruction <text>', 'how seats should answer')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nWrite blanks as {{name}}. An option that is one blank stands for a list of options.\nThe flags above are saved with `save`.',
    )
    .action(
      async (
        action: string | undefined,
        name: string | undefined,
        question: string | undefined,
        flags: TemplateFlags,
      ) => runTemplates(action ?? 'list', name, question, flags, shell),
    )
}
