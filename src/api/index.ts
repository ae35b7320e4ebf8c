/**
 * The schema of every request and reply of the HTTP API. The server's routes, the OpenAPI document, the client and the
 * pages all use it, so it must stay free of IO.
 */
export * from './accounts.ts'
export { latestPosition, type Problem, problemSchema } from './common.ts'
export * from './exhibits.ts'
export * from './mcp.ts'
export * from './openai.ts'
export * from './people.ts'
export * from './sessions.ts'
export * from './settings.ts'
export * from './table.ts'
export * from './team.ts'
export * from './templates.ts'
