/** Decides how the lab replies to a request. */
import { defaultHandler } from './answers.ts'
import type { RecordedCall } from './call.ts'
import { faults } from './faults.ts'
import type { LabModel, LabOptions } from './options.ts'
import { errorStatus, type LabReply, type LabResult, resultOf } from './reply.ts'

const unsupported = (model: string, field: string): LabResult => {
  const instead = field === 'max_tokens' ? " Use 'max_completion_tokens' instead." : ''
  const words = `Unsupported parameter: '${field}' is not supported with the model ${model}.${instead}`
  return errorStatus(400, words, 'unsupported_parameter', {}, 'invalid_request_error', field)
}

/** OpenAI's message, which repeats the wrong key. */
const wrongKey = (given: string): LabResult =>
  errorStatus(
    401,
    given === ''
      ? "You didn't provide an API key. You need to provide your API key in an Authorization header."
      : `Incorrect API key provided: ${given}. You can find your API key in your account settings.`,
    'invalid_api_key',
  )

/** The error for a request that the model rejects. */
const refusal = (options: LabOptions, call: RecordedCall): LabResult | undefined => {
  const { body } = call
  const model: LabModel | undefined = options.models?.[body.model]
  if (!model && options.strict) {
    return errorStatus(404, `The model \`${body.model}\` does not exist.`, 'model_not_found')
  }
  const field = model?.refuses?.find(one => body[one] !== undefined)
  if (field) return unsupported(body.model, field)
  if (model?.schema !== 'refused' || body.response_format === undefined) return undefined
  const words = `'response_format' of type 'json_schema' is not supported with the model ${body.model}.`
  return errorStatus(400, words, null, {}, 'invalid_request_error', 'response_format')
}

export const keyProblem = (options: LabOptions, call: RecordedCall): LabResult | undefined => {
  const given = String(call.headers.authorization ?? '').replace(/^Bearer /, '')
  return options.key === undefined || given === options.key ? undefined : wrongKey(given)
}

export type Deciding = (call: RecordedCall) => Promise<LabResult>

/** Calls are counted for each model, because some faults affect only the first ones. */
export const deciding = (options: LabOptions): Deciding => {
  const handler = options.handler ?? defaultHandler(options.tokens)
  const counts = new Map<string, number>()
  return async call => {
    const early = refusal(options, call)
    if (early) return early
    const name = call.body.model
    const model = options.models?.[name]
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    const usual = resultOf(await handler(call))
    if (model?.fault === undefined || count > (model.first ?? Infinity)) return usual
    const { fault } = model
    const reply: LabReply = typeof fault === 'string' && fault in faults ? named(fault, usual) : fault
    return resultOf(reply)
  }
}

const named = (fault: string, usual: LabResult): LabReply => faults[fault as keyof typeof faults](usual)
