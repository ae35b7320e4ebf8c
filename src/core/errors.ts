/** What can go wrong with a model, as data; and the one error class for a person's mistake. */
import { z } from 'zod'

/**
 * Why a model gave no usable answer. `message` holds the provider's own words where it had any.
 * A seat whose error is dropped looks like a seat that agreed, so every failure becomes one of these.
 */
export const modelErrorKinds = [
  'wrong-key',
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
  message: z.string(),
  status: z.number().int().optional(),
})
export type ModelError = z.infer<typeof modelErrorSchema>

interface Wording {
  /** A few words for a verdict line: "Mistral Medium 3.1 was silent (timed out)". */
  readonly short: string
  /** What the person can do about it. */
  readonly advice: string
  /** Whether asking again could help. */
  readonly retry: boolean
}

const wordings: Record<ModelErrorKind, Wording> = {
  'wrong-key': {
    short: 'wrong key',
    advice: 'Check the key of this provider; `roundtable doctor` says which variable holds it.',
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
  'unknown-model': {
    short: 'unknown model',
    advice: 'Check the name with `roundtable models`.',
    retry: false,
  },
  'bad-request': { short: 'request refused', advice: "Read the provider's words above.", retry: false },
  'server-error': {
    short: 'server error',
    advice: "Try again later; the fault is on the provider's side.",
    retry: true,
  },
  network: {
    short: 'connection failed',
    advice: 'Check that the endpoint runs and is reachable.',
    retry: true,
  },
  timeout: {
    short: 'timed out',
    advice: 'Give it longer with --deadline, or seat a faster model.',
    retry: false,
  },
  empty: { short: 'empty reply', advice: 'Try again, or seat another model.', retry: true },
  'cut-off': { short: 'cut off', advice: 'The reply hit its length limit; ask for less.', retry: false },
  'bad-shape': {
    short: 'unreadable reply',
    advice: 'This model does not keep to the asked form; seat another one.',
    retry: false,
  },
  budget: { short: 'no budget left', advice: 'Raise --budget.', retry: false },
  cancelled: { short: 'interrupted', advice: 'Ask again.', retry: false },
}

export const wordingOf = (kind: ModelErrorKind): Wording => wordings[kind]

export type UsageKind = 'invalid' | 'no-seats' | 'no-moderator' | 'needs-consent' | 'bad-format'

/** A person's mistake: bad input, an unknown name, a broken file. Its message says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly kind: UsageKind
  constructor(message: string, kind: UsageKind = 'invalid') {
    super(message)
    this.kind = kind
  }
}
