/**
 * Pictures of every page in each of its states, light and dark, at four widths, and one sheet of them for each state:
 * `npm run screenshots -- [folder] [pattern of names] [sessions to import…]`. Names of states of a session begin with
 * "session", so that "^session" and "^(?!session)" take one half.
 */
import { parseArgs } from 'node:util'
import { shootPages } from './page-screenshots.ts'
import { shootSessions } from './session-screenshots.ts'

const { positionals } = parseArgs({ allowPositionals: true })
const [folder = 'screenshots', pattern = '', ...files] = positionals
const shooting = { folder, pattern, files }
await shootPages(shooting)
await shootSessions(shooting)
console.log(`Pictures are in ${folder}/, the sheets in sheet-*.png.`)
