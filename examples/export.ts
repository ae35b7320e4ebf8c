/** Read a saved transcript or JSON document and write it in another form: `node examples/export.ts session.txt markdown` */
import { readFileSync } from 'node:fs'
import { exporters, fold, importText, verdictOf } from 'roundtable'

const [file = 'session.txt', form = 'markdown'] = process.argv.slice(2)
const events = importText(readFileSync(file, 'utf8'), { newId: () => 'imported', clock: Date.now })
console.error(verdictOf(fold(events)).line)
process.stdout.write(
  exporters.find(one => one.id === form)?.write(events, {}) ?? `Unknown format "${form}".\n`,
)
