/** Everybody who has an account. A name, and an e-mail address, belong to one person only. */
import { UsageError } from '../core/errors.ts'
import type { Archive } from '../store/archive/archive.ts'
import { checkedName, nameKey, type Person, personSchema, type Role } from './person.ts'
import { newAccountId } from './secrets.ts'

export interface NewPerson {
  readonly name: string
  readonly email?: string
  readonly role: Role
}

export interface People {
  add(person: NewPerson): Promise<Person>
  /** Throws if nobody could be called so, or somebody is. */
  checkFree(name: string): Promise<void>
  withId(id: string): Promise<Person | undefined>
  /** By name or e-mail address, in upper or lower case. */
  named(nameOrEmail: string): Promise<Person | undefined>
  /** As `named`, and an error that says what to do if there is nobody. */
  known(nameOrEmail: string): Promise<Person>
  list(): Promise<readonly Person[]>
  save(person: Person): Promise<void>
}

const taken = (name: string): UsageError =>
  new UsageError(`"${name}" is taken. Choose another name.`, 'already-exists')

export const peopleIn = (archive: Archive, clock: () => number): People => {
  const withId: People['withId'] = async id => {
    const value = await archive.record('person', id)
    return value === undefined ? undefined : personSchema.parse(value)
  }
  const named: People['named'] = async nameOrEmail => {
    const id = await archive.record('person-name', nameKey(nameOrEmail))
    return typeof id === 'string' ? withId(id) : undefined
  }
  const list: People['list'] = async () =>
    (await archive.records('person'))
      .map(({ value }) => personSchema.parse(value))
      .sort((one, other) => one.name.localeCompare(other.name))
  /** Of many who want the same name at once, one gets it. */
  const reserve = async (name: string, id: string): Promise<void> => {
    if ((await archive.addRecord('person-name', nameKey(name), id, id)) === id) return
    throw taken(name)
  }
  return {
    async checkFree(name) {
      if (await named(checkedName(name))) throw taken(name)
    },
    withId,
    named,
    list,
    async add({ name, email, role }) {
      const id = newAccountId()
      const since = new Date(clock()).toISOString()
      const person: Person = { id, name: checkedName(name), ...(email && { email }), role, since }
      await reserve(person.name, id)
      try {
        if (email && nameKey(email) !== nameKey(name)) await reserve(email, id)
      } catch (error) {
        await archive.removeRecord('person-name', nameKey(person.name))
        throw error
      }
      await archive.saveRecord('person', id, person)
      return person
    },
    async known(nameOrEmail) {
      const person = await named(nameOrEmail)
      if (person) return person
      const names = (await list()).map(one => one.name).slice(0, 20)
      const who = names.length > 0 ? `People here: ${names.join(', ')}.` : 'Nobody has an account yet.'
      throw new UsageError(`Nobody here is called "${nameOrEmail.slice(0, 100)}". ${who}`)
    },
    async save(person) {
      await archive.saveRecord('person', person.id, person)
    },
  }
}
