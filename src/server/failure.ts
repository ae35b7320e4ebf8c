/** What may be logged and shown about a failure. */

/** A failed query repeats its parameters: questions, answers, tokens of share links. */
const isFailedQuery = (error: Error): boolean => 'query' in error && 'params' in error

const chainOf = (error: unknown): Error[] => {
  const chain: Error[] = []
  for (let one = error; one instanceof Error && !chain.includes(one); one = one.cause) chain.push(one)
  return chain
}

const linesOf = ({ stack = '', message }: Error): string => {
  const from = stack.indexOf(message)
  return from < 0 ? '' : stack.slice(from + message.length)
}

/** The cause of a failure in one line, without the parameters of a query. */
export const causeOf = (error: unknown): string => {
  const chain = chainOf(error)
  const cause = chain.find(one => !isFailedQuery(one))
  if (cause) return withoutParameters(String(cause))
  return chain.length > 0 ? 'A query failed.' : withoutParameters(String(error))
}

/** The same, and where in the code it happened. */
export const traceOf = (error: unknown): string => causeOf(error) + chainOf(error).map(linesOf).join('')

/** Other parts of the program, and packages, log errors as text. Parameters may have several lines: all of them go. */
export const withoutParameters = (text: string): string => {
  const query = text.indexOf('Failed query:')
  const from = query < 0 ? -1 : text.indexOf('\nparams:', query)
  return from < 0 ? text : `${text.slice(0, from)}\nparams: …`
}
