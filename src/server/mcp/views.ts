/** MCP Apps: a finished session as a page beside the result, for clients that can show one. */
import {
  type CallToolResult,
  type McpServer,
  type RegisteredTool,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { SessionEvent } from '../../core/log/event.ts'
import { fold } from '../../core/log/state.ts'
import { exporterNamed } from '../../exports/index.ts'
import { Refusal } from '../problem.ts'
import { sessionViews, viewAddress, viewPage, viewType } from './app-view.ts'
import { declaredBefore, declaresNow, viewsExtension } from './extensions.ts'
import { logAt } from './resources.ts'
import type { Tables } from './tables.ts'

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
