/** Everything that can go wrong with a model, by name. Each gets the model's usual reply. */
import { errorStatus, type LabReply, type LabResult } from './reply.ts'

const textOf = (result: LabResult): string => (result.lab === 'answer' ? (result.text ?? '') : '')

const declining = 'I cannot help with that request.'

const frenchWords: Readonly<Record<string, string>> = {
  headline: 'Oui, il vaut mieux commencer par une petite équipe et grandir ensuite.',
  reasoning:
    'Une petite équipe apprend plus vite, se trompe à moindre coût et garde la liberté de changer de direction. ' +
    'Les grandes équipes passent beaucoup de temps à se mettre d’accord avant de pouvoir agir.',
  language: 'fr',
}

const inFrench = (text: string): LabReply => {
  try {
    return { ...(JSON.parse(text) as Record<string, unknown>), ...frenchWords }
  } catch {
    return frenchWords.reasoning ?? ''
  }
}

export const faults = {
  'rate-limit': () =>
    errorStatus(429, 'Rate limit reached, please try again in 1s.', 'rate_limit_exceeded', {
      'retry-after': '1',
    }),
  'server-error': () =>
    errorStatus(500, 'The server had an error while processing your request.', null, {}, 'server_error'),
  overload: () => errorStatus(503, 'The engine is currently overloaded, please try again later.', null),
  'no-credit': () =>
    errorStatus(
      429,
      'You exceeded your current quota, please check your plan and billing details.',
      'insufficient_quota',
      {},
      'insufficient_quota',
    ),
  'unknown-model': () =>
    errorStatus(404, 'The model `it` does not exist or you do not have access to it.', 'model_not_found'),
  'context-overflow': () =>
    errorStatus(
      400,
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
      'context_length_exceeded',
      {},
      'invalid_request_error',
      'messages',
    ),
  'content-refused': () =>
    errorStatus(400, 'The response was filtered due to the content management policy.', 'content_filter'),
  cut: result => ({ lab: 'answer', text: textOf(result), after: 5, ending: 'cut' }),
  'broken-json': result => textOf(result).slice(0, Math.floor(textOf(result).length / 2)),
  empty: () => '',
  hang: () => ({ lab: 'silence' }),
  'hang-midway': result => ({ lab: 'answer', text: textOf(result), after: 5, ending: 'hang' }),
  refusal: () => ({ lab: 'answer', refusal: declining }),
  'refusal-prose': () => declining,
  filter: result => ({ lab: 'answer', text: textOf(result).slice(0, 12), finish: 'content_filter' }),
  length: result => ({
    lab: 'answer',
    text: textOf(result).slice(0, Math.floor(textOf(result).length / 2)),
    finish: 'length',
  }),
  'error-midway': result => ({
    lab: 'answer',
    text: textOf(result),
    after: 5,
    ending: { error: { message: 'The upstream model crashed.', type: 'server_error', code: null } },
  }),
  french: result => inFrench(textOf(result)),
  slow: result => ({ lab: 'answer', text: textOf(result), firstTokenMs: 5_000 }),
} satisfies Record<string, (result: LabResult) => LabReply>

export type FaultName = keyof typeof faults

export const faultNames = Object.keys(faults) as readonly FaultName[]
