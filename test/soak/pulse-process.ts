/** Asks `/healthz` every 100 ms from a process of its own, and tells its parent when answers came. */
const interval = 100
const patience = 60_000
const address = process.argv[2]!

export type PulseMessage =
  | { readonly type: 'answer'; readonly at: number }
  | { readonly type: 'late'; readonly at: number; readonly milliseconds: number }

const tell = (message: PulseMessage): void => void process.send?.(message)

const ask = async (): Promise<void> => {
  const response = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(patience) })
  await response.text()
  if (response.ok) tell({ type: 'answer', at: Date.now() })
}

let last = Date.now()
setInterval(() => {
  const at = Date.now()
  const milliseconds = at - last - interval
  last = at
  if (milliseconds > 20) tell({ type: 'late', at, milliseconds })
  // No answer: the gap shows it.
  ask().catch(() => {})
}, interval)

process.on('disconnect', () => process.exit())
