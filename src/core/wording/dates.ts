/** Days and times as people read them: one form for all pages, "Nov 18, 2026" and "20:23". */

const day = { day: 'numeric', month: 'short', year: 'numeric' } as const
const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

const told = (at: string | number, options: Intl.DateTimeFormatOptions): string =>
  new Date(at).toLocaleString('en', options)

/** "Nov 18, 2026", by the clock of the reader. */
export const dayText = (at: string | number): string => told(at, day)

/** For what must read alike everywhere, and for a day without a time, which is another day elsewhere. */
export const utcDayText = (at: string | number): string => told(at, { ...day, timeZone: 'UTC' })

/** "Nov 18, 2026, 20:23" */
export const timeText = (at: string): string => told(at, { ...day, ...clock })

/** "Wed 20:23", for a time within days. */
export const weekdayTime = (at: string): string => told(at, { weekday: 'short', ...clock })
