/** What should be told to the person while a session is on the screen, by parts that know no screen. */
export interface Remarks {
  tell(text: string): void
  /** What was told before is told at once. */
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
