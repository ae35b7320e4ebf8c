/** A value once it has rested for a moment: typing sends no request for every letter. */
import { useEffect, useState } from 'react'

const pause = 250

export const useSettled = <Value>(value: Value): Value => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
