/** Sessions as resources: the latest ones as a list, each one as Markdown. */
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'
import type { SessionEvent } from '../../core/log/event.ts'
import { exporterNamed } from '../../exports/index.ts'
import { refuseInTurn } from './result.ts'
import type { Tables } from './tables.ts'

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
