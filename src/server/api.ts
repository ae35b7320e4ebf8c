/**
 * The wire: the form of every request and response of the HTTP API. Pure, for pages and command lines read it too;
 * the routes and the OpenAPI document are made from it.
 */
export { latestPosition, type Problem, problemSchema } from './wire/common.ts'
export * from './wire/sessions.ts'
export * from './wire/settings.ts'
export * from './wire/table.ts'
