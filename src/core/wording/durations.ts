/** How long something took, as people read it. */

/** 4.2 s, 75 s, 12 min; from milliseconds. */
export const duration = (milliseconds: number): string => {
  const seconds = milliseconds / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  return seconds < 600 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`
}
