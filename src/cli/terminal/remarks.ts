/** Remarks for the person while a session is on the screen, from parts that don't know the screen. */
export interface Remarks {
  tell(text: string): void
  /** Earlier remarks are passed on at once. */
  hear(listener: (text: string) => void): void
}

export const createRemarks = (): Remarks => {
  const early: string[] = []
  let tell = (text: string): void => void early.push(text)
  return {
    tell: text => tell(text),
    hear(listener) {
      tell = listener
      for (const text of early.splice(0)) listener(text)
    },
  }
}
