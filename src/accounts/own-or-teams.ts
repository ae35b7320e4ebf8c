/**
 * What people save under a name, as line-ups and templates: a person's own, or the team's. One's own are records, and
 * come first if both have the name; the team's are where they were before there were accounts.
 */
import { UsageError } from '../core/errors.ts'
import type { Archive, Json } from '../store/archive/archive.ts'
import { checkMay, currentPerson, currentVisitor, type PersonVisitor, visitorMay } from './visitor.ts'

const actions = { lineup: 'change-lineup', template: 'change-template' } as const

export type SavedKind = keyof typeof actions

/** The team's. */
interface TeamShelf {
  has(name: string): Promise<boolean>
  save(name: string, value: Json): Promise<void>
  /** Says so if there is none. */
  remove(name: string): Promise<void>
}

export interface PersonalShelf extends Omit<TeamShelf, 'has'> {
  /** The visitor's own, by name. */
  own(): Promise<Readonly<Record<string, Json>>>
}

const mostOwn = 500

const keyOf = ({ person }: PersonVisitor, name: string): string => `${person.id} ${name}`

const ownOf = async (archive: Archive, kind: SavedKind): Promise<Readonly<Record<string, Json>>> => {
  const visitor = currentPerson()
  if (!visitor) return {}
  const rows = await archive.records(kind, { owner: visitor.person.id })
  return Object.fromEntries(rows.map(({ key, value }) => [key.slice(keyOf(visitor, '').length), value]))
}

/** Whether the visitor may delete what is saved under a name, as the table of permissions says. */
export const deletableBy = async (archive: Archive, kind: SavedKind): Promise<(name: string) => boolean> => {
  const own = await ownOf(archive, kind)
  return name => visitorMay(currentVisitor(), actions[kind], Object.hasOwn(own, name) ? 'own' : 'team')
}

export const ownOrTeams = (archive: Archive, kind: SavedKind, team: TeamShelf): PersonalShelf => {
  const action = actions[kind]
  return {
    own: () => ownOf(archive, kind),
    /** Those who may change the team's save the team's, unless they have one of their own by that name. */
    async save(name, value) {
      const visitor = currentVisitor()
      checkMay(visitor, action)
      if (visitor.kind !== 'person') return team.save(name, value)
      const own = await ownOf(archive, kind)
      const has = Object.hasOwn(own, name)
      if (!has && visitorMay(visitor, action, 'team')) return team.save(name, value)
      if (!has && Object.keys(own).length >= mostOwn)
        throw new UsageError(`You have ${mostOwn} of them. Delete one first.`)
      await archive.saveRecord(kind, keyOf(visitor, name), value, visitor.person.id)
    },
    async remove(name) {
      const visitor = currentVisitor()
      checkMay(visitor, action)
      if (visitor.kind === 'person') {
        if ((await archive.removeRecord(kind, keyOf(visitor, name))) !== undefined) return
        if (await team.has(name)) checkMay(visitor, action, 'team')
      }
      await team.remove(name)
    },
  }
}
