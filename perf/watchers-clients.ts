/** The watching side of `watchers.ts`: many streams in one process, each checked for the positions it should see. */
import { get } from 'node:http'

const job = JSON.parse(process.argv[2]!) as {
  readonly port: number
  readonly sessions: readonly string[]
  readonly watchers: number
  readonly last: number
}

let wrong = 0
let begun = 0
let complete = 0

/** Positions come in order, and a message may be split anywhere. */
const watcher = (session: string): void => {
  let next = 0
  let rest = ''
  const take = (line: string): void => {
    if (!line.startsWith('id: ')) return
    const position = Number(line.slice(4))
    if (position !== next) wrong++
    next = position + 1
    if (position === 0 && ++begun === job.watchers) process.send!('ready')
    if (position === job.last && ++complete === job.watchers) process.send!({ wrong })
  }
  const options = { port: job.port, host: '127.0.0.1', path: `/api/sessions/${session}/events`, agent: false }
  get(options, response => {
    response.setEncoding('latin1').on('data', (chunk: string) => {
      const text = rest + chunk
      const end = text.lastIndexOf('\n')
      rest = text.slice(end + 1)
      let from = 0
      for (let at = text.indexOf('id: '); at >= 0 && at < end; at = text.indexOf('\nid: ', from)) {
        const start = text[at] === '\n' ? at + 1 : at
        const stop = text.indexOf('\n', start)
        take(text.slice(start, stop))
        from = stop
      }
    })
  })
}

for (let index = 0; index < job.watchers; index++) watcher(job.sessions[index % job.sessions.length]!)
process.once('disconnect', () => process.exit())
