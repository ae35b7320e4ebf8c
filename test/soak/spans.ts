/** Spans of time, and the longest gap between answers that nobody caused. */

/** Milliseconds since the epoch. `to` is Infinity as long as it lasts. */
export interface Span {
  readonly from: number
  to: number
}

/** A timer of the process that asks came late: the machine was busy, and the server isn't to blame. */
export interface Late {
  readonly at: number
  readonly milliseconds: number
}

export interface Gap {
  readonly from: number
  readonly to: number
  /** Without the time that is excused. */
  readonly milliseconds: number
}

const overlap = (span: Span, from: number, to: number): number =>
  Math.max(0, Math.min(span.to, to) - Math.max(span.from, from))

/** Whether any of the spans, and what comes a little later, touches this time. */
export const touches = (spans: readonly Span[], from: number, to: number, later: number): boolean =>
  spans.some(span => span.from <= to && span.to + later >= from)

/** Each time without an answer, less what the server was away on purpose and what the asking process itself was late. */
export const gapsIn = (
  answers: readonly number[],
  away: readonly Span[] = [],
  late: readonly Late[] = [],
): Gap[] =>
  answers.slice(1).map((to, place) => {
    const from = answers[place]!
    const wanted = away.reduce((sum, span) => sum + overlap(span, from, to), 0)
    const own = late.reduce(
      (sum, { at, milliseconds }) => sum + (at > from && at <= to ? milliseconds : 0),
      0,
    )
    return { from, to, milliseconds: Math.max(0, to - from - wanted - own) }
  })

export const longest = (gaps: readonly Gap[]): Gap | undefined =>
  gaps.toSorted((one, other) => other.milliseconds - one.milliseconds)[0]
