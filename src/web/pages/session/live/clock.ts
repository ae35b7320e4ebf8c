/** The time, once a second, for as long as something waits. */
import { useEffect, useState } from 'react'
import { wholeNumber } from '../../../../core/wording/numbers.ts'

export const useNow = (running: boolean): number => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [running])
  return now
}

/** 0:07, 12:30, 1:02:30; from two days on, "3 days" */
export const clockText = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000))
  const days = Math.floor(seconds / 86_400)
  if (days > 1) return `${wholeNumber(days)} days`
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const start = hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}` : String(minutes)
  return `${start}:${String(seconds % 60).padStart(2, '0')}`
}
