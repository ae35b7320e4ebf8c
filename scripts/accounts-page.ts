/**
 * Writes the table of permissions into docs/accounts.md, between its two marks. `npm run permissions` runs it; a test
 * fails if the page and the table differ.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { everyAction, permissions, type Whose } from '../src/accounts/permissions.ts'
import { type Role, roles } from '../src/accounts/person.ts'

const page = new URL('../docs/accounts.md', import.meta.url)
const [begin, end] = ['<!-- permissions -->', '<!-- end of permissions -->']

const words: Readonly<Record<Whose, string>> = { own: 'own', team: 'team’s', private: 'others’ private' }

const cell = (to: string, whose: readonly Whose[]): string => {
  if (whose.length === 0) return '–'
  return to === 'session' || to === 'saved' ? whose.map(one => words[one]).join(', ') : 'yes'
}

export const permissionsTable = (): string => {
  const rows = everyAction.map(action => {
    const { words: what, to, scope, may } = permissions[action]
    const cells = roles.map((role: Role) => cell(to, may[role]))
    return `| ${what} | ${cells.join(' | ')} | ${scope ?? 'no key'} |`
  })
  return [`| May … | ${roles.join(' | ')} | scope of a key |`, '|---|---|---|---|---|', ...rows].join('\n')
}

/** The page with the table as it is now. */
export const pageWithTable = (text: string): string => {
  const [before, rest = ''] = text.split(begin)
  const [, after] = rest.split(end)
  if (before === undefined || after === undefined)
    throw new Error(`docs/accounts.md has lost its marks ${begin}.`)
  return `${before}${begin}\n${permissionsTable()}\n${end}${after}`
}

export const pageText = (): string => readFileSync(page, 'utf8')

if (import.meta.main) writeFileSync(page, pageWithTable(pageText()))
