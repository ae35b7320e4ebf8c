/** The lab as a process, for measurements: `node test/lab/main.ts --port 8787 --first-token 200 --rate 100`. */
import { parseArgs } from 'node:util'
import { startLab } from './server.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'first-token': { type: 'string', default: '0' },
    /** Tokens per second; without it, all at once. */
    rate: { type: 'string' },
    /** The length of each reply in tokens. */
    tokens: { type: 'string', default: '0' },
    record: { type: 'boolean', default: false },
  },
})

const lab = await startLab({
  port: Number(values.port),
  firstTokenMs: Number(values['first-token']),
  ...(values.rate !== undefined && { tokensPerSecond: Number(values.rate) }),
  tokens: Number(values.tokens),
  record: values.record,
})
console.log(lab.baseURL)

/** Otherwise the lab would hold its port after its starter is gone. */
const starter = process.ppid
setInterval(() => {
  if (process.ppid !== starter) process.exit()
}, 1_000).unref()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void lab.stop())
