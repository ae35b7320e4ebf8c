/**
 * Pictures of every page in each of its states, light and dark, at four widths, and one sheet of them for each state:
 * `npm run screenshots -- [--only pages|sessions|conversations|evidence|team] [folder] [pattern of names] [sessions to import…]`.
 */
import { parseArgs } from 'node:util'
import { shootConversations } from './conversation-screenshots.ts'
import { shootEvidence } from './evidence-screenshots.ts'
import { shootPages } from './page-screenshots.ts'
import { shootSessions } from './session-screenshots.ts'
import { shootTeam } from './team-screenshots.ts'

const { positionals, values } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } })
const [folder = 'screenshots', pattern = '', ...files] = positionals
const shooting = { folder, pattern, files }
const kinds = {
  ...{ pages: shootPages, sessions: shootSessions },
  ...{ conversations: shootConversations, evidence: shootEvidence, team: shootTeam },
}
for (const [kind, shootKind] of Object.entries(kinds))
  if (!values.only || values.only === kind) await shootKind(shooting)
console.log(`Pictures are in ${folder}/, the sheets in sheet-*.png.`)
