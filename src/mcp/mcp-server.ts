/**
 * The view that a client with MCP Apps shows beside a result. It has the one script: the handshake that the extension asks
 * for. Then it replaces itself by the session's page, which has none and allows none.
 */

import { randomUUID } from 'node:crypto'
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type RegisteredTool,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import {
  askTableSchema,
  findSessionsSchema,
  foundSessionsSchema,
  listedModelsSchema,
  listModelsSchema,
  longestSilentWait,
  sessionTextSchema,
  showSessionSchema,
  type TableResult,
  tableResultSchema,
  takeSeatSchema,
  usualWait,
  waitForTableSchema,
} from '../api/doors.ts'
import { UsageError } from '../core/basics.ts'
import type { SessionEvent } from '../core/event.ts'
import { apply, fold, usageOf } from '../core/fold.ts'
import { isUnreached, type Session, seatOf } from '../core/session.ts'
import { absenceOf } from '../count/tally.ts'
import { verdictOf } from '../count/verdict.ts'
import { exporterNamed } from '../exports/index.ts'
import { Refusal, refusalFrom } from '../http/log.ts'
import { answerText, flagWords, plainReport } from '../report/report.ts'
import { agentTurns, type OutsideTurn } from '../run/run.ts'
import { reasonWords } from '../words/moves.ts'
import { campLabel, narrated } from '../words/story.ts'
import type { Tables } from './server.ts'

/** The same document for every session, so that a client may keep it. */
export const viewAddress = 'ui://roundtable/session'

/** A session's own page. */
export const sessionViews = 'ui://roundtable/sessions'

export const viewType = 'text/html;profile=mcp-app'

const script = `
const waiting = new Map()
let last = 0, told = 0, page, theme
const send = message => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
const ask = (method, params) =>
  new Promise((resolve, reject) => {
    waiting.set(++last, { resolve, reject })
    send({ id: last, method, params })
  })
const tellSize = () => {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height)
  if (height === told) return
  told = height
  send({ method: 'ui/notifications/size-changed', params: { height } })
}
const tell = words => {
  document.querySelector('p').textContent = words
  tellSize()
}
const openLink = event => {
  const link = event.target.closest('a[href]')
  if (!link || link.getAttribute('href').startsWith('#')) return
  event.preventDefault()
  ask('ui/open-link', { url: link.href }).catch(() => {})
}
/** The page knows the system's colours, the host its own. */
const become = () => {
  document.open()
  document.write(theme ? page.replace('(prefers-color-scheme: dark)', theme === 'dark' ? 'all' : 'not all') : page)
  document.close()
  // Writing a document takes the listeners away.
  listen()
  addEventListener('click', openLink)
  tellSize()
}
const unfinished = { running: 'The table is deliberating.', 'your-turn': 'The table waits for an answer from here.' }
const show = async result => {
  const { id, status = 'finished' } = result.structuredContent ?? {}
  tell(unfinished[status] ?? (result.content ?? []).map(part => part.text ?? '').join('\\n'))
  if (result.isError || id === undefined || status !== 'finished') return
  const { contents } = await ask('resources/read', { uri: '${sessionViews}/' + encodeURIComponent(id) })
  page = contents[0].text
  become()
}
const look = context => {
  if (!context?.theme || context.theme === theme) return
  theme = context.theme
  document.documentElement.style.colorScheme = theme
  if (page) become()
}
const hear = ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== '2.0') return
  const { id, method, params, result, error } = data
  if (method === 'ui/notifications/tool-result') show(params).catch(() => {})
  else if (method === 'ui/notifications/host-context-changed') look(params)
  else if (method === 'ping' || method === 'ui/resource-teardown') send({ id, result: {} })
  else if (method !== undefined && id !== undefined) send({ id, error: { code: -32601, message: 'Not offered.' } })
  else if (method === undefined) {
    if (error) waiting.get(id)?.reject(new Error(error.message))
    else waiting.get(id)?.resolve(result)
    waiting.delete(id)
  }
}
const listen = () => {
  addEventListener('message', hear)
  addEventListener('resize', tellSize)
}
listen()
ask('ui/initialize', {
  appInfo: { name: 'roundtable', version: '1' },
  appCapabilities: {},
  protocolVersion: '2026-01-26',
}).then(({ hostContext }) => {
  look(hostContext)
  send({ method: 'ui/notifications/initialized' })
  tellSize()
})
`

export const viewPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>Roundtable</title>
<style>
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif }
p { margin: 0; padding: .75rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere }
</style>
</head>
<body>
<p></p>
<script>${script}</script>
</body>
</html>
`

// extensions: Which extensions of MCP a client declares.

export const tasksExtension = 'io.modelcontextprotocol/tasks'
export const viewsExtension = 'io.modelcontextprotocol/ui'

const declaredSchema = z.looseObject({ extensions: z.record(z.string(), z.unknown()).optional() })

const has = (capabilities: unknown, extension: string): boolean => {
  const declared = declaredSchema.safeParse(capabilities)
  return declared.success && declared.data.extensions?.[extension] !== undefined
}

/** In this very request: clients of the second generation say it each time. */
export const declaresNow = ({ mcpReq }: ServerContext, extension: string): boolean =>
  has((mcpReq.envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY], extension)

/** With its handshake. Undefined if nobody knows: a request of the first generation over HTTP stands alone. */
export const declaredBefore = ({ server }: McpServer, extension: string): boolean | undefined => {
  const capabilities: ClientCapabilities | undefined = server.getClientCapabilities()
  return capabilities && has(capabilities, extension)
}

// failed: What an MCP client is told if a tool fails.

/** A refusal has words that help. Anything else is not the caller's business. */
export const failed = async (work: () => Promise<CallToolResult>): Promise<CallToolResult> => {
  try {
    return await work()
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: refusalFrom(error).message }] }
  }
}

// prompts: Prompts that a person picks in a chat or an editor: each has a table asked in a way that fits.

interface TablePrompt {
  readonly name: string
  readonly title: string
  readonly description: string
  /** What the person is asked for. */
  readonly about: string
  words(about: string): string
}

const report =
  'When the verdict is there, tell me the answer, who disagrees and why, who was silent, and every warning. Do not soften the counts.'

const prompts: readonly TablePrompt[] = [
  {
    name: 'council',
    title: 'Ask a council',
    description: 'A question or decision, put to a round table of models.',
    about: 'The question or decision',
    words: about =>
      `Ask a round table (ask_table) this question. Put everything that the models need to know from our conversation into the question or its attachments. If it is a choice, give the options.\n\n${about}\n\n${report}`,
  },
  {
    name: 'second-opinion',
    title: 'Get a second opinion',
    description: 'What other models think of an answer or a plan.',
    about: 'The answer or plan to check',
    words: about =>
      `Ask a round table (ask_table) whether this holds, with the options "It holds", "It holds with changes" and "It does not hold". Attach the text itself, and do not say what you think of it.\n\n${about}\n\n${report}`,
  },
  {
    name: 'premortem',
    title: 'Hold a premortem',
    description: 'Suppose that a plan failed: why did it?',
    about: 'The plan',
    words: about =>
      `Ask a round table (ask_table): "A year from now this plan has failed. What was the most likely cause, and what would have shown it early?" Attach the plan.\n\n${about}\n\n${report}`,
  },
  {
    name: 'fact-check',
    title: 'Check a fact',
    description: 'Whether a claim is true, as several models see it.',
    about: 'The claim',
    words: about =>
      `Ask a round table (ask_table) whether this claim is true, with the options "True", "False" and "Cannot be known without a source". Models can be wrong together: say what would settle it.\n\n${about}\n\n${report}`,
  },
]

export const addPrompts = (server: McpServer): void => {
  for (const { name, title, description, about, words } of prompts)
    server.registerPrompt(
      name,
      { title, description, argsSchema: z.object({ about: z.string().describe(about) }) },
      given => ({ messages: [{ role: 'user', content: { type: 'text', text: words(given.about) } }] }),
    )
}

// result: A session as the result of a tool: for programs as fields, for models as text.

export const pageOf = (origin: string, id: string): string => `${origin}/s/${id}`

const namesOf = (session: Session, seats: readonly string[]): string[] =>
  seats.map(seat => seatOf(session, seat).name)

const movesOf = (session: Session): TableResult['moved'] =>
  verdictOf(session).ledger.map(({ seat, from, to, reason, credit }) => ({
    seat: seatOf(session, seat).name,
    from: campLabel(session, from),
    to: campLabel(session, to),
    why: [
      ...(reason ? [reasonWords[reason]] : []),
      ...(credit?.verified ? [`citing ${seatOf(session, credit.seat).name}: “${credit.quote}”`] : []),
    ].join(', '),
  }))

/** The verdict as it stands: of a session that runs, that of its last closed round. */
export const verdictFields = (session: Session): Omit<TableResult, 'status' | 'id' | 'url'> => {
  const { line, level, leading, final, dissent, flags: raised } = verdictOf(session)
  const { answer } = session.report ?? (isUnreached(session) ? { answer: line } : plainReport(session))
  const { costUsd, inputTokens, outputTokens } = usageOf(session)
  return {
    ...(session.outcome && { outcome: session.outcome }),
    line,
    level,
    answer,
    camps: (final?.camps ?? []).map(({ id, label, seats }) => ({
      label,
      seats: namesOf(session, seats),
      leads: id === leading,
    })),
    moved: movesOf(session),
    dissent: namesOf(session, dissent),
    silent: (final?.silent ?? []).map(seat => ({
      seat: seatOf(session, seat).name,
      why: absenceOf(session, final?.round ?? 0, seat),
    })),
    flags: raised.map(flag => ({ flag, words: flagWords(session, flag) })),
    cost: { usd: costUsd, inputTokens, outputTokens },
  }
}

const storyOf = (log: readonly SessionEvent[]): string[] => {
  let session: Session | undefined
  return log.flatMap(event => {
    const before = session
    session = apply(before, event)
    return narrated(before, session, event)
  })
}

const replied = (fields: TableResult, text: string): CallToolResult => ({
  structuredContent: fields,
  content: [{ type: 'text', text }],
})

/** Nothing of what others said, except what stands in the prompt. */
const yourTurn = ({ round, prompt, deadline }: OutsideTurn, id: string, url: string): CallToolResult => {
  const text = [prompt.system, ...prompt.user].join('\n\n')
  const until = new Date(deadline).toISOString()
  return replied(
    {
      status: 'your-turn',
      id,
      url,
      round,
      prompt: text,
      form: prompt.shape.json,
      deadline: until,
      next: 'take_seat',
    },
    [
      `It is your turn in round ${round} of session ${id}, until ${until}. Answer the prompt yourself, with nothing but what it says, by take_seat. Your answer is an object of this JSON schema:`,
      JSON.stringify(prompt.shape.json),
      'The prompt:',
      text,
    ].join('\n\n'),
  )
}

/** While it is the caller's turn, it is told nothing of the others. */
export const refuseInTurn = (log: readonly SessionEvent[]): void => {
  if (agentTurns(fold(log)).length > 0)
    throw new Refusal(
      409,
      'It is your turn in this session. Hand in your answer first: wait_for_table gives the prompt.',
    )
}

/** Finished: the verdict. Otherwise what happened so far, and how to wait on. */
export const tableResult = (log: readonly SessionEvent[], origin: string): CallToolResult => {
  const session = fold(log)
  const { id } = session
  const url = pageOf(origin, id)
  const [turn] = agentTurns(session)
  if (turn) return yourTurn(turn, id, url)
  if (session.outcome)
    return replied(
      { status: 'finished', id, url, ...verdictFields(session) },
      `${answerText(session)}\n\nSession ${id}: ${url}`,
    )
  const so_far = storyOf(log)
  return replied(
    { status: 'running', id, url, so_far, next: 'wait_for_table' },
    [...so_far, '', `Still running. Call wait_for_table with the id ${id} for the verdict. ${url}`].join(
      '\n',
    ),
  )
}

// resources: Sessions as resources: the latest ones as a list, each one as Markdown.

const listed = 'roundtable://sessions'
const latest = 50

/** Throws if there is no such session, or if it is the caller's turn in it. */
export const logAt = async (tables: Tables, uri: URL, id: string): Promise<readonly SessionEvent[]> => {
  const log = await tables.log(id).catch(() => {
    throw new ResourceNotFoundError(uri.href, `There is no session "${id}".`)
  })
  refuseInTurn(log)
  return log
}

export const addResources = (server: McpServer, tables: Tables): void => {
  server.registerResource(
    'sessions',
    listed,
    { title: 'Latest sessions', mimeType: 'application/json' },
    async uri => {
      const { sessions } = await tables.find({ limit: latest })
      return { contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify(sessions) }] }
    },
  )
  server.registerResource(
    'session',
    new ResourceTemplate(`${listed}/{id}`, {
      list: async () => {
        const { sessions } = await tables.find({ limit: latest })
        const resources = sessions.map(({ id, question }) => ({
          uri: `${listed}/${id}`,
          name: id,
          title: question.slice(0, 200),
          mimeType: 'text/markdown',
        }))
        return { resources }
      },
    }),
    { title: 'A session', mimeType: 'text/markdown' },
    async (uri, { id }) => {
      const text = exporterNamed('markdown').write(await logAt(tables, uri, String(id)))
      return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text }] }
    },
  )
}

// views: MCP Apps: a finished session as a page beside the result, for clients that can show one.

/** Characters. A client may keep the views of a whole conversation. */
export const longestPage = 300_000

/** The whole session; without what each seat wrote if that is too long. */
export const pageOfSession = (log: readonly SessionEvent[]): string => {
  if (!fold(log).outcome) throw new Refusal(409, 'This session is not over yet.')
  const { write } = exporterNamed('html')
  const page = [write(log), write(log, { compact: true })].find(text => text.length <= longestPage)
  if (page === undefined) throw new Refusal(413, 'This session is too long to be shown here.')
  return page
}

/** Nothing is loaded and nothing is asked for, so there is nothing to declare but the frame. */
const look = { ui: { prefersBorder: true } }

export const addViews = (server: McpServer, tables: Tables): void => {
  const contents = (uri: URL, text: string) => ({
    contents: [{ uri: uri.href, mimeType: viewType, text, _meta: look }],
  })
  // Templates, though the first has no blank: a resource would be in the list that people pick from.
  server.registerResource(
    'session-view',
    new ResourceTemplate(viewAddress, { list: undefined }),
    { title: 'How a session is shown', mimeType: viewType },
    uri => contents(uri, viewPage),
  )
  server.registerResource(
    'session-page',
    new ResourceTemplate(`${sessionViews}/{id}`, { list: undefined }),
    { title: 'A session as a page', mimeType: viewType },
    async (uri, { id }) => contents(uri, pageOfSession(await logAt(tables, uri, String(id)))),
  )
}

/** A client that is known to show no views isn't offered one. */
export const offerView = (server: McpServer, tool: RegisteredTool): void => {
  Object.defineProperty(tool, '_meta', {
    get: () =>
      declaredBefore(server, viewsExtension) === false ? undefined : { ui: { resourceUri: viewAddress } },
  })
}

/** The result, and the address of the session's page if the client can show it and the session is over. */
export const withView = (
  server: McpServer,
  context: ServerContext,
  log: readonly SessionEvent[],
  result: CallToolResult,
): CallToolResult => {
  const { id, outcome } = fold(log)
  const shown = declaresNow(context, viewsExtension) || declaredBefore(server, viewsExtension)
  return outcome && shown && !result.isError
    ? { ...result, _meta: { ui: { resourceUri: `${sessionViews}/${id}` } } }
    : result
}

// tasks: Long work as a task, for clients that declare the extension: the call returns a handle at once, and the client asks for
// the result. A task's id is its session's, so it outlives every process and needs no place of its own.

const pollIntervalMs = 2_000

export const wantsTask = (context: ServerContext): boolean => declaresNow(context, tasksExtension)

const taskOf = (log: readonly SessionEvent[]) => {
  const { id, openedAt, lastAt } = fold(log)
  return { taskId: id, createdAt: openedAt, lastUpdatedAt: lastAt, ttlMs: null, pollIntervalMs }
}

/** The handle, instead of a result. */
export const taskStarted = (log: readonly SessionEvent[], origin: string): CallToolResult => ({
  ...tableResult(log, origin),
  ...taskOf(log),
  resultType: 'task',
  status: 'working',
})

const stateOf = (log: readonly SessionEvent[], result: () => CallToolResult) => {
  const { outcome } = fold(log)
  if (outcome === undefined) return { ...taskOf(log), status: 'working' as const }
  if (outcome === 'interrupted') return { ...taskOf(log), status: 'cancelled' as const }
  return { ...taskOf(log), status: 'completed' as const, result: result() }
}

const named = z.looseObject({ taskId: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/) })

export const addTasks = (mcp: McpServer, tables: Tables): void => {
  const { server } = mcp
  const logOf = (id: string) =>
    tables.log(id).catch(() => {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no task "${id}".`)
    })
  server.registerCapabilities({ extensions: { [tasksExtension]: {} } })
  server.setRequestHandler('tasks/get', { params: named }, async ({ taskId }, context) => {
    const [log, origin] = await Promise.all([logOf(taskId), tables.origin()])
    return stateOf(log, () => withView(mcp, context, log, tableResult(log, origin)))
  })
  server.setRequestHandler('tasks/cancel', { params: named }, async ({ taskId }) => {
    if (!fold(await logOf(taskId)).outcome) await tables.stop(taskId)
    return {}
  })
}

// waiting: Waits for a session on behalf of a call, with progress for clients that want it.

/** Without progress, a call ends before the client would cut it. */
const secondsFor = (wanted: number | undefined, { mcpReq }: ServerContext): number => {
  const seconds = wanted ?? usualWait
  return mcpReq._meta?.progressToken === undefined ? Math.min(seconds, longestSilentWait) : seconds
}

/** The end of a call's time. It counts from the call's arrival: to start a server, or to open a session, takes time too. */
export const endOfWait = (wanted: number | undefined, context: ServerContext): AbortSignal => {
  const end = new AbortController()
  const finish = (): void => end.abort()
  // AbortSignal.timeout is forgotten by the garbage collector if nobody listens to it while a server starts.
  const timer = setTimeout(finish, secondsFor(wanted, context) * 1_000)
  timer.unref()
  const { signal } = context.mcpReq
  if (signal.aborted) finish()
  signal.addEventListener('abort', finish, { once: true })
  return end.signal
}

/** A client that cut the call while a server starts would ask again, and pay for two sessions. */
export const serverReady = async (tables: Tables, seconds = longestSilentWait): Promise<void> => {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () =>
      reject(new Refusal(503, 'Roundtable is still starting. Nothing was asked yet: call this tool again.')),
    seconds * 1_000,
  )
  await Promise.race([tables.origin(), late]).finally(() => clearTimeout(timer))
}

/** One message for each event; the number must rise. */
const progressTo = ({ mcpReq }: ServerContext) => {
  const progressToken = mcpReq._meta?.progressToken
  return async (event: SessionEvent, lines: readonly string[]): Promise<void> => {
    if (progressToken === undefined) return
    await mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken, progress: event.position + 1, message: lines.join('\n') },
    })
  }
}

/** The log so far when the session is over, the time is up, or the call is cancelled. */
export const waitFor = async (
  tables: Tables,
  id: string,
  end: AbortSignal,
  context: ServerContext,
): Promise<readonly SessionEvent[]> => {
  const known = await tables.log(id)
  const start = fold(known)
  // Nothing of what others said is told while it is the caller's turn.
  if (start.outcome || agentTurns(start).length > 0) return known
  const tell = progressTo(context)
  const log: SessionEvent[] = []
  let session: Session | undefined
  for await (const event of tables.follow(id, end)) {
    const before = session
    session = apply(before, event)
    log.push(event)
    if (log.length >= known.length && agentTurns(session).length > 0) break
    await tell(event, narrated(before, session, event))
  }
  return log.length >= known.length ? log : known
}

// tools: The tools that an MCP client can call.

/** Seconds that the caller has for an answer from its own seat. */
const ownSeconds = 900

const reading = { readOnlyHint: true, openWorldHint: false } as const

const told = (fields: Record<string, unknown>, text: string): CallToolResult => ({
  structuredContent: fields,
  content: [{ type: 'text', text }],
})

export const addTableTools = (server: McpServer, tables: Tables): void => {
  const shown = async (log: readonly SessionEvent[], context: ServerContext): Promise<CallToolResult> =>
    withView(server, context, log, tableResult(log, await tables.origin()))
  const asking = server.registerTool(
    'ask_table',
    {
      title: 'Ask a round table of models',
      description:
        'Several models answer the question separately, read each other, argue, and may change their minds. Code counts who agrees. It takes a minute or more and costs one call for each model and round.',
      inputSchema: askTableSchema,
      outputSchema: tableResultSchema,
      annotations: { openWorldHint: true, destructiveHint: false, idempotentHint: false },
    },
    ({ wait, stop_if_cancelled, my_seat, ...wish }, context) =>
      failed(async () => {
        const end = endOfWait(wait, context)
        await serverReady(tables)
        const mine = my_seat && { people: [{ name: my_seat, deadline: ownSeconds, program: true }] }
        const id = await tables.open({ ...wish, ...mine }, randomUUID())
        // The caller's own seat is asked in the reply, so such a call is no task.
        if (!my_seat && wantsTask(context)) return taskStarted(await tables.log(id), await tables.origin())
        const { signal } = context.mcpReq
        const log = await waitFor(tables, id, end, context)
        if (signal.aborted && stop_if_cancelled && !fold(log).outcome) await tables.stop(id)
        return shown(log, context)
      }),
  )
  const waiting = server.registerTool(
    'wait_for_table',
    {
      title: 'Wait for a table',
      description: 'Waits for the verdict of a session that still runs. Call it again if it is not finished.',
      inputSchema: waitForTableSchema,
      outputSchema: tableResultSchema,
      annotations: reading,
    },
    ({ id, wait }, context) =>
      failed(async () => shown(await waitFor(tables, id, endOfWait(wait, context), context), context)),
  )
  const taking = server.registerTool(
    'take_seat',
    {
      title: 'Answer from your own seat',
      description:
        'Hands in your answer for a round, after ask_table with my_seat or wait_for_table said that it is your turn.',
      inputSchema: takeSeatSchema,
      outputSchema: tableResultSchema,
      annotations: { openWorldHint: true, destructiveHint: false, idempotentHint: false },
    },
    ({ id, round, answer, wait }, context) =>
      failed(async () => {
        const end = endOfWait(wait, context)
        const seat = fold(await tables.log(id)).seats.find(({ outside, person }) => outside && !person)
        if (!seat) throw new UsageError('You have no seat in this session.')
        await tables.handIn(id, seat.id, { round, answer })
        return shown(await waitFor(tables, id, end, context), context)
      }),
  )
  for (const tool of [asking, waiting, taking]) offerView(server, tool)
}

export const addArchiveTools = (server: McpServer, tables: Tables): void => {
  const showing = server.registerTool(
    'show_session',
    {
      title: 'Show a session',
      description: 'A session that was asked before: its verdict, or everything that was said.',
      inputSchema: showSessionSchema,
      outputSchema: sessionTextSchema,
      annotations: reading,
    },
    ({ id, form = 'verdict' }, context) =>
      failed(async () => {
        const [log, origin] = await Promise.all([tables.log(id), tables.origin()])
        refuseInTurn(log)
        const [first] = form === 'verdict' ? tableResult(log, origin).content : []
        const text = first?.type === 'text' ? first.text : exporterNamed(form).write(log)
        return withView(server, context, log, told({ id, url: pageOf(origin, id), text }, text))
      }),
  )
  offerView(server, showing)
  server.registerTool(
    'find_sessions',
    {
      title: 'Find sessions',
      description: 'Sessions that were asked before, newest first.',
      inputSchema: findSessionsSchema,
      outputSchema: foundSessionsSchema,
      annotations: reading,
    },
    ({ words, limit = 10, cursor }) =>
      failed(async () => {
        const { sessions, next } = await tables.find({ words, limit, cursor })
        const rows = sessions.map(({ id, question, openedAt, outcome, line }) => ({
          ...{ id, question, opened_at: openedAt, outcome, line },
        }))
        const lines = rows.map(
          ({ id, question, line }) => `${id}: ${question.slice(0, 200)} (${line ?? 'running'})`,
        )
        return told({ sessions: rows, next }, lines.join('\n') || 'No session was found.')
      }),
  )
  server.registerTool(
    'list_models',
    {
      title: 'List models',
      description: 'Models that can take a seat.',
      inputSchema: listModelsSchema,
      outputSchema: listedModelsSchema,
      annotations: reading,
    },
    ({ search, all, limit = 30 }) =>
      failed(async () => {
        const { models, total } = await tables.models({ search, limit, ...(!all && { configured: 'true' }) })
        const rows = models.map(({ id, name, makerLabel, missing }) => ({
          ...{ id, name, maker: makerLabel, missing: [...missing] },
        }))
        const lines = rows.map(
          ({ id, name, missing }) =>
            `${id}: ${name}${missing.length > 0 ? ` (needs ${missing.join(' or ')})` : ''}`,
        )
        return told({ models: rows, total }, lines.join('\n') || 'No model was found.')
      }),
  )
}

// server: The MCP server: the same tools, resources and prompts over stdio and over HTTP.

const instructions =
  'Ask a round table when one model should not decide alone: a decision, a claim to check, an estimate, a second opinion. Put everything that the models need into the question or its attachments: they see nothing of this conversation. If a call comes back as running, call wait_for_table.'

type Register = McpServer['registerTool']

/** Every tool that is registered from now on asks first, one that somebody adds later too. */
const checkTools = (server: McpServer, permit: NonNullable<Tables['permit']>): void => {
  const register = server.registerTool.bind(server) as (...given: unknown[]) => ReturnType<Register>
  const checked = (name: string, config: unknown, work: (...given: unknown[]) => Promise<CallToolResult>) =>
    register(name, config, (...given: unknown[]) =>
      failed(async () => {
        await permit(name, given[0])
        return work(...given)
      }),
    )
  server.registerTool = checked as unknown as Register
}

export const createMcpServer = (tables: Tables, version: string): McpServer => {
  const server = new McpServer({ name: 'roundtable', title: 'Roundtable', version }, { instructions })
  if (tables.permit) checkTools(server, tables.permit)
  addTableTools(server, tables)
  addArchiveTools(server, tables)
  addResources(server, tables)
  addViews(server, tables)
  addPrompts(server)
  addTasks(server, tables)
  return server
}
