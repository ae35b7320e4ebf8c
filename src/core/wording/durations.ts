/** How long something took, as people read it. */

/** 4.2 s, 75 s, 12 min, 5 h, 3 days; from milliseconds. */
export const duration = (milliseconds: number): string => {
  const seconds = milliseconds / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  if (seconds < 600) return `${Math.round(seconds)} s`
  const hours = seconds / 3_600
  if (hours < 3) return `${Math.round(seconds / 60)} min`
  return hours < 72 ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} days`
}
