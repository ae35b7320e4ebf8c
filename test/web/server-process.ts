/** The server of a stage in its own process, so that a test can kill it. Arguments: lab, data, pages, port. */
import { serve } from './stage.ts'

const [lab = '', data = '', pages = '', port = '0'] = process.argv.slice(2)
const { server } = await serve(lab, data, pages, Number(port))
console.log(server.port)

/** Otherwise the server would keep running after its test is gone. */
const starter = process.ppid
setInterval(() => {
  if (process.ppid !== starter) process.exit()
}, 1_000).unref()
