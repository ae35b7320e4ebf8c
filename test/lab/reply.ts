/** What the lab can answer: text, an object, or a failure. */

/** A detailed reply. `after` counts tokens; an `ending` replaces the normal end. */
export interface LabAnswer {
  readonly lab: 'answer'
  readonly text?: string
  /** Sent as `reasoning_content` before the text. */
  readonly thinking?: string
  readonly refusal?: string
  readonly finish?: 'stop' | 'length' | 'content_filter'
  readonly after?: number
  readonly ending?: 'cut' | 'hang' | { readonly error: unknown }
  readonly firstTokenMs?: number
  readonly tokensPerSecond?: number
}

/** An error status with a body: text, or anything else as JSON. */
export interface LabStatus {
  readonly lab: 'status'
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** No reply at all, not even headers. */
export interface LabSilence {
  readonly lab: 'silence'
}

export type LabReply = string | LabAnswer | LabStatus | LabSilence | Readonly<Record<string, unknown>>

export type LabResult = LabAnswer | LabStatus | LabSilence

/** An error in OpenAI's format, which the others copied. */
export const errorStatus = (
  status: number,
  message: string,
  code: string | null,
  headers?: Readonly<Record<string, string>>,
  type = 'invalid_request_error',
  param: string | null = null,
): LabStatus => ({
  lab: 'status',
  status,
  body: { error: { message, type, param, code } },
  ...(headers && { headers }),
})

const isResult = (reply: object): reply is LabResult =>
  'lab' in reply && ['answer', 'status', 'silence'].includes(String(reply.lab))

export const resultOf = (reply: LabReply): LabResult => {
  if (typeof reply === 'string') return { lab: 'answer', text: reply }
  return isResult(reply) ? reply : { lab: 'answer', text: JSON.stringify(reply) }
}
