/**
 * The wire: the form of every request and response of the HTTP API. Pure, for pages and command lines read it too;
 * the routes and the OpenAPI document are made from it.
 */
export { latestPosition, type Problem, problemSchema } from './common.ts'
export * from './sessions.ts'
export * from './settings.ts'
export * from './table.ts'
