/** The server of a stage as a process of its own, so that a test can kill it: lab, data, pages, port. */
import { serve } from './stage.ts'

const [lab = '', data = '', pages = '', port = '0'] = process.argv.slice(2)
const { server } = await serve(lab, data, pages, Number(port))
console.log(server.port)

/** A server whose test is gone would run for ever. */
const starter = process.ppid
setInterval(() => {
  if (process.ppid !== starter) process.exit()
}, 1_000).unref()
