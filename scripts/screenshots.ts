/**
 * Pictures of every page in each of its states, light and dark, at four widths, and one sheet of them for each state:
 * `npm run screenshots -- [--only pages|sessions] [folder] [pattern of names] [sessions to import…]`.
 */
import { parseArgs } from 'node:util'
import { shootPages } from './page-screenshots.ts'
import { shootSessions } from './session-screenshots.ts'

const { positionals, values } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } })
const [folder = 'screenshots', pattern = '', ...files] = positionals
const shooting = { folder, pattern, files }
if (values.only !== 'sessions') await shootPages(shooting)
if (values.only !== 'pages') await shootSessions(shooting)
console.log(`Pictures are in ${folder}/, the sheets in sheet-*.png.`)
