/** What can go wrong with a model, as data; and the error class for a person's mistake. */
import { z } from 'zod'
import { longestText } from './log/bounds.ts'

/**
 * Why a model gave no usable answer. `message` holds the provider's own words if it had any.
 * A seat whose error is dropped looks like a seat that agreed, so every failure becomes one of these.
 */
export const modelErrorKinds = [
  'wrong-key',
  'logged-out',
  'no-credit',
  'rate-limit',
  'overload',
  'content-filter',
  'context-overflow',
  'unknown-model',
  'bad-request',
  'server-error',
  'network',
  'timeout',
  'empty',
  'cut-off',
  'bad-shape',
  'budget',
  'cancelled',
] as const
export type ModelErrorKind = (typeof modelErrorKinds)[number]

export const modelErrorSchema = z.object({
  kind: z.enum(modelErrorKinds),
  message: z.string().max(longestText),
  status: z.number().int().min(0).max(999).optional(),
})
export type ModelError = z.infer<typeof modelErrorSchema>

interface Wording {
  /** A few words for a verdict line: "Mistral Medium 3.1 was silent (timed out)". A transcript writes and reads them. */
  readonly short: string
  /** What the person can do about it, whatever they use; each face may add its own way. */
  readonly advice: string
  /** Whether asking again could help. */
  readonly retry: boolean
}

const wordings: Record<ModelErrorKind, Wording> = {
  'wrong-key': { short: 'wrong key', advice: 'Check the API key of this provider.', retry: false },
  'logged-out': {
    short: 'not logged in',
    advice: 'Log in to this agent in a terminal, and ask again.',
    retry: false,
  },
  'no-credit': { short: 'no credit', advice: 'Top up the account, or seat another model.', retry: false },
  'rate-limit': {
    short: 'rate limited',
    advice: 'Wait, lower the concurrency of this provider, or seat fewer of its models.',
    retry: true,
  },
  overload: { short: 'overloaded', advice: 'Try again later, or seat another model.', retry: true },
  'content-filter': {
    short: 'filtered',
    advice: 'Rephrase the question, or seat another model.',
    retry: false,
  },
  'context-overflow': {
    short: 'question too long for it',
    advice: 'Shorten the question or its attachments, or seat a model with a larger context.',
    retry: false,
  },
  'unknown-model': { short: 'unknown model', advice: 'Check the name of the model.', retry: false },
  'bad-request': { short: 'request refused', advice: "Read the provider's message.", retry: false },
  'server-error': {
    short: 'server error',
    advice: "Try again later: the fault is on the provider's side.",
    retry: true,
  },
  network: {
    short: 'connection failed',
    advice: 'Check that the endpoint is running and can be reached.',
    retry: true,
  },
  timeout: { short: 'timed out', advice: 'Give it more time, or seat a faster model.', retry: false },
  empty: { short: 'empty reply', advice: 'Try again, or seat another model.', retry: true },
  'cut-off': {
    short: 'cut off',
    advice: 'The reply hit its length limit. Ask for less, or seat another model.',
    retry: false,
  },
  'bad-shape': {
    short: 'unreadable reply',
    advice: "This model doesn't reply in the form it was asked for. Seat another one.",
    retry: false,
  },
  budget: { short: 'no budget left', advice: 'It needs a larger budget.', retry: false },
  cancelled: { short: 'interrupted', advice: 'Ask again.', retry: false },
}

export const wordingOf = (kind: ModelErrorKind): Wording => wordings[kind]

/** Mistakes for which a face has advice of its own, such as a flag of the terminal. Everything else is `invalid`. */
export const usageKinds = [
  'invalid',
  'no-seats',
  'unknown-seat',
  'no-moderator',
  'not-configured',
  'wrong-format',
  'too-long',
  'port-taken',
  'weak-token',
  'no-consent',
  'damaged-model',
  'download-failed',
  'old-archive',
  'already-exists',
  'already-running',
  'disk-full',
  'not-allowed',
] as const
export type UsageKind = (typeof usageKinds)[number]

/** The same symbol in every copy of this package: `instanceof` fails if a program has loaded two of them. */
const marker = Symbol.for('roundtable.error.usage')

/**
 * A person's mistake: bad input, an unknown name, a broken file. Its message says what is wrong in words that fit every
 * face; a face adds its own advice by `kind`, and finds what that advice names (a model, a session) in `data`.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly kind: UsageKind
  readonly data: Readonly<Record<string, string>>
  readonly [marker] = true

  constructor(message: string, kind: UsageKind = 'invalid', data: Readonly<Record<string, string>> = {}) {
    super(message)
    this.kind = kind
    this.data = data
  }

  static isInstance(this: void, error: unknown): error is UsageError {
    return typeof error === 'object' && error !== null && marker in error
  }
}

/** The same mistake with words in front that say where it was found: a file, a question. */
export const located = (place: string, error: unknown): unknown =>
  UsageError.isInstance(error) ? new UsageError(`${place}: ${error.message}`, error.kind, error.data) : error
