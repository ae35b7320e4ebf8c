/**
 * The one way from a request to `session-opened`. Every face opens a reach once and resolves each request against it;
 * nothing outside this folder decides who sits at the table.
 */
export type { AskInput } from './ask-input.ts'
export { type Config, loadConfig } from './config.ts'
export { forkAt } from './fork-at.ts'
export { type OpenReach, openReach } from './open-reach.ts'
export type { Opening } from './opening.ts'
export { type Asker, resolveAsk } from './resolve-ask.ts'
