/** `accounts budget` and `accounts spent`: what people and the team may use, and what they used. */

import { join } from 'node:path'
import type { Command } from 'commander'
import { UsageError } from '../core/basics.ts'
import { dispatcherFor } from '../evidence/web.ts'
import { type Environment, variable } from '../models/endpoints.ts'
import type { Provider } from '../models/provider.ts'
import type { OwnProviders } from '../run/jobs.ts'
import { type Archive, type RecordKind, teamPayer } from '../store/archive.ts'
import type { Shared } from '../store/shared.ts'
import { atTable, type Reach } from '../table/reach.ts'
import { withArchive } from '../terminal/archive.ts'
import { programName } from '../terminal/program-name.ts'
import { oneLine, type Shell } from '../terminal/terminal.ts'
import type { Accounts } from './accounts.ts'
import { amountFrom, budgetsIn, limitWords, type PayerSpending, spentWords } from './budgets.ts'
import { makerKeysIn, type OpenMakerKey, ownEndpointsIn, peopleIn, serverSecret } from './people.ts'

export interface BudgetFlags {
  readonly perDay?: string
  readonly perMonth?: string
  /** The amounts are tokens, not dollars. */
  readonly tokens?: boolean
}

/** The id that the ledger knows them by. */
const payerNamed = async (archive: Archive, name: string, clock: () => number): Promise<string> =>
  name === teamPayer ? teamPayer : (await peopleIn(archive, clock).known(name)).id

/** Sets what the flags name, and returns what holds now, in one line. */
export const budgetLine = async (
  archive: Archive,
  name: string | undefined,
  { perDay, perMonth, tokens }: BudgetFlags,
  clock: () => number,
): Promise<string> => {
  if (name === undefined) throw new UsageError('Say whose budget: the name of a person, or team.')
  const payer = await payerNamed(archive, name, clock)
  const unit = tokens ? 'tokens' : 'usd'
  const amounts = {
    ...(perDay !== undefined && { day: amountFrom(perDay, unit) }),
    ...(perMonth !== undefined && { month: amountFrom(perMonth, unit) }),
  }
  const budgets = budgetsIn(archive)
  const allowance =
    Object.keys(amounts).length > 0 ? await budgets.set(payer, unit, amounts) : await budgets.of(payer)
  return `${oneLine(name)}: ${limitWords(allowance)}`
}

/** Counts alone: what was asked is nobody's business here. */
export const spentLines = async (archive: Archive, clock: () => number): Promise<readonly string[]> => {
  const people = await peopleIn(archive, clock).list()
  const nameOf = ({ payer }: PayerSpending): string =>
    payer === teamPayer ? 'the whole team' : oneLine(people.find(({ id }) => id === payer)?.name ?? payer)
  const spent = await budgetsIn(archive).spent(clock())
  return spent.flatMap(one => [
    nameOf(one),
    `  today       ${spentWords(one.today)}`,
    `  this month  ${spentWords(one.month)}`,
    `  budget      ${limitWords(one.allowance)}`,
  ])
}

// accountsSetting: A process on an archive that people use must know that they do, and must be able to open what they entered.

export interface AccountsSetting {
  readonly env: Environment
  /** Undefined: there is none, or accounts are off. */
  readonly secret: Buffer | undefined
  /** What would happen without the setting: "everybody could read …". */
  readonly harm: string
}

/** Whether there are people. Throws UsageError if the process would silently do something else than they expect. */
export const checkAccountsSetting = async (
  archive: Pick<Archive, 'records'>,
  { env, secret, harm }: AccountsSetting,
): Promise<boolean> => {
  const has = async (kind: RecordKind): Promise<boolean> =>
    (await archive.records(kind, { limit: 1 })).length > 0
  if (!(await has('person'))) return false
  const said = env.ROUNDTABLE_ACCOUNTS?.trim().toLowerCase()
  if (!said)
    throw new UsageError(
      `People have accounts here, and without them ${harm}. Set ROUNDTABLE_ACCOUNTS to "on", or to "off" if that is what you want.`,
    )
  if (said === 'on' && !secret && ((await has('maker-key')) || (await has('endpoint'))))
    throw new UsageError(
      'People have entered keys or endpoints of their own. Set ROUNDTABLE_SECRET to the same as on the other servers: without it, their sessions would be run with the keys of the server.',
    )
  return true
}

/** Checked before an engine is opened there: it would begin to run sessions at once. */
export const checkSharedArchive = async (address: string, setting: AccountsSetting): Promise<boolean> => {
  const { serverArchive } = await import('../store/server.ts')
  const archive = await serverArchive(address)
  try {
    return await checkAccountsSetting(archive, setting)
  } finally {
    await archive.close()
  }
}

// ownProviders: The keys and endpoints that a person entered, in the providers of their sessions.

/** `folder`: of the archive, if it is on this machine. Undefined: there is no secret, so nobody can enter keys. */
export const secretFor = (env: Environment, folder: string | undefined): Buffer | undefined =>
  serverSecret(variable(env, 'ROUNDTABLE_SECRET'), folder && join(folder, 'secret'))

/** Whether people's endpoints may be on this machine and its network. */
export const privateEndpointsIn = (env: Environment): boolean => {
  const said = variable(env, 'ROUNDTABLE_PRIVATE_ENDPOINTS')?.toLowerCase()
  if (said === undefined || said === 'no') return false
  if (said === 'yes') return true
  throw new UsageError('Set ROUNDTABLE_PRIVATE_ENDPOINTS to "yes" or "no".')
}

/** Providers with other keys, each connected once. */
const withKeys = ({ connections }: Pick<Reach, 'connections'>, keys: readonly OpenMakerKey[]) => {
  const made = new Map<string, Provider>()
  return (provider: Provider): Provider => {
    const known = made.get(provider.id)
    if (known) return known
    const connection = connections.find(({ maker }) => maker.id === provider.id)
    const entered = keys.find(({ maker }) => maker === provider.id)
    // A key isn't sent to another address than it was entered for.
    const isSame = connection && entered && connection.address === entered.address
    const used = isSame ? connection.withKey(entered.key) : provider
    made.set(provider.id, used)
    return used
  }
}

export const ownProvidersWith = (
  reach: Pick<Reach, 'connections'>,
  secret: Buffer,
  privateEndpoints: boolean,
): ((archive: Archive) => OwnProviders) => {
  const through = dispatcherFor(privateEndpoints)
  return archive => async person => {
    const keys = await makerKeysIn(archive, secret).open(person)
    const endpoints = (await ownEndpointsIn(archive, secret, through).open(person)).map(atTable)
    if (keys.length === 0 && endpoints.length === 0) return undefined
    const keyed = withKeys(reach, keys)
    // If the server has got one with the same name since, that one comes first and counts.
    return providers => [...providers.map(keyed), ...endpoints]
  }
}

// accounts: `accounts`: people, invitations and keys of a server with accounts, for whoever runs it.

interface AccountsFlags {
  readonly role?: string
  readonly email?: string
  readonly revoke?: string
  readonly perDay?: string
  readonly perMonth?: string
  readonly tokens?: boolean
}

interface Given {
  readonly accounts: Accounts
  readonly archive: Shared
  readonly name: string | undefined
  readonly value: string | undefined
  readonly flags: AccountsFlags
  readonly shell: Shell
  print(line: string): void
}

interface AccountsAction {
  readonly usage: string
  readonly about: string
  run(given: Given): Promise<void>
}

const needed = (value: string | undefined, what: string): string => {
  if (value !== undefined) return value
  throw new UsageError(`Give ${what}.`)
}

const person = ({ accounts, name }: Given) => accounts.people.known(needed(name, 'the name of a person'))

const terminal = async () => (await import('./people.ts')).atTerminal

const dayOf = (at: string | number): string => new Date(at).toISOString().slice(0, 10)

/** Prints a link that works once. */
const invite = async ({ accounts, archive, name, flags, shell, print }: Given, roleName: string) => {
  const [{ roleFrom, checkedName }, { invitationDays, invitationPath }] = await Promise.all([
    import('./person.ts'),
    import('./people.ts'),
  ])
  const role = roleFrom(roleName)
  const invited = { name: checkedName(needed(name, 'a name')), ...(flags.email && { email: flags.email }) }
  const actor = await terminal()
  const secret = await accounts.invitations.make({ role, ...invited, by: actor.who })
  await accounts.audit.add(actor, `invited-${role}`, undefined, invited.name)
  const server = await archive.server()
  print(`${server?.address ?? ''}${invitationPath(secret)}`)
  const where = server ? '' : ' Put the address of your server in front of it.'
  shell.stderr.write(
    `This link makes one ${role} account, within ${invitationDays} days.${where} Send it to ${oneLine(invited.name)} alone.\n`,
  )
}

const list: AccountsAction = {
  usage: 'list',
  about: 'people and open invitations',
  async run({ accounts, print }) {
    for (const one of await accounts.people.list()) {
      const more = [one.email, one.disabled && 'disabled'].filter(Boolean).join(', ')
      print(oneLine(`${one.name}: ${one.role}, since ${dayOf(one.since)}${more && `, ${more}`}`))
    }
    for (const { id, name, role, until } of await accounts.invitations.list())
      print(oneLine(`invited: ${name ?? 'somebody'} as ${role}, until ${dayOf(until)} (${id.slice(0, 8)})`))
  },
}

const withdraw: AccountsAction = {
  usage: 'withdraw <invitation>',
  about: 'make an invitation useless, by the code that `list` shows',
  async run({ accounts, name, print }) {
    const code = needed(name, 'the code of an invitation')
    const found = (await accounts.invitations.list()).filter(({ id }) => id.startsWith(code))
    if (found.length !== 1) throw new UsageError(`No invitation, or several, have the code "${code}".`)
    await accounts.invitations.revoke(found[0]!.id)
    await accounts.audit.add(await terminal(), 'invitation-revoked')
    print('The invitation no longer works.')
  },
}

const role: AccountsAction = {
  usage: 'role <name> <role>',
  about: 'change a role: admin, member or viewer; the person has to log in again',
  async run(given) {
    const { roleFrom } = await import('./person.ts')
    const who = await person(given)
    const next = roleFrom(needed(given.value, 'a role'))
    await given.accounts.changeRole(who, next, await terminal())
    given.print(oneLine(`${who.name} is ${next} now.`))
  },
}

const password: AccountsAction = {
  usage: 'password <name>',
  about: 'set a new random password, for somebody who forgot theirs',
  async run(given) {
    const { newSecret } = await import('./person.ts')
    const who = await person(given)
    const next = newSecret().slice(0, 20)
    await given.accounts.changePassword(who, next, await terminal())
    given.print(next)
    given.shell.stderr.write(`The new password of ${oneLine(who.name)}. Change it on the account page.\n`)
  },
}

const keys: AccountsAction = {
  usage: 'keys <name>',
  about: 'list the API keys of a person; --revoke <code> ends one',
  async run(given) {
    const { accounts, flags, print } = given
    const who = await person(given)
    const all = await accounts.keys.of(who.id)
    if (flags.revoke === undefined) {
      for (const { id, label, scope, until, used } of all)
        print(
          oneLine(
            `${id.slice(0, 8)} ${label}: ${scope}, until ${dayOf(until)}, ${used ? `used ${used}` : 'never used'}`,
          ),
        )
      return
    }
    const found = all.filter(({ id }) => id.startsWith(flags.revoke!))
    if (found.length !== 1)
      throw new UsageError(`${who.name} has no key, or several, with the code "${flags.revoke}".`)
    await accounts.keys.revoke(who.id, found[0]!.id)
    await accounts.audit.add(await terminal(), 'key-revoked', who.id, found[0]!.label)
    print('The key no longer works.')
  },
}

const audit: AccountsAction = {
  usage: 'audit',
  about: 'the newest 100 lines of the audit log',
  async run({ accounts, print }) {
    const names = new Map((await accounts.people.list()).map(({ id, name }) => [id, name]))
    const nameOf = (id: string): string => names.get(id) ?? id
    const { entries } = await accounts.audit.page(100)
    for (const { at, who, what, whose, detail, from } of entries)
      print(
        oneLine(
          `${at} ${nameOf(who)}: ${[what, whose && nameOf(whose), detail && `(${detail})`].filter(Boolean).join(' ')}, from ${from}`,
        ),
      )
  },
}

const budget: AccountsAction = {
  usage: 'budget <name|team>',
  about: 'show or set what somebody may use: --per-day, --per-month, in dollars or --tokens',
  async run({ accounts, archive, name, flags, shell, print }) {
    print(await budgetLine(archive, name, flags, shell.clock))
    if (flags.perDay === undefined && flags.perMonth === undefined) return
    await accounts.audit.add(
      await terminal(),
      'budget-changed',
      (await accounts.people.named(name!))?.id ?? name,
    )
  },
}

const spent: AccountsAction = {
  usage: 'spent',
  about: 'what everybody used today and this month, in UTC',
  async run({ archive, shell, print }) {
    for (const line of await spentLines(archive, shell.clock)) print(line)
  },
}

const act = (
  usage: string,
  about: string,
  what: 'disable' | 'enable' | 'signOutEverywhere',
  done: string,
): AccountsAction => ({
  usage,
  about,
  async run(given) {
    const who = await person(given)
    await given.accounts[what](who, await terminal())
    given.print(oneLine(`${who.name} ${done}.`))
  },
})

const actions: Readonly<Record<string, AccountsAction>> = {
  list,
  admin: {
    usage: 'admin <name>',
    about: 'print a link that makes an admin’s account, such as the first one',
    run: given => invite(given, 'admin'),
  },
  invite: {
    usage: 'invite <name> --role <role>',
    about: 'print a link that makes an account; --email <address> notes the person’s address',
    run: given => invite(given, given.flags.role ?? 'member'),
  },
  withdraw,
  role,
  disable: act('disable <name>', 'shut somebody out; their sessions stay', 'disable', 'can no longer log in'),
  enable: act('enable <name>', 'let somebody in again', 'enable', 'can log in again'),
  'sign-out': act(
    'sign-out <name>',
    'end every login of a person',
    'signOutEverywhere',
    'is logged out everywhere',
  ),
  password,
  keys,
  budget,
  spent,
  audit,
}

const run = (
  action: string,
  name: string | undefined,
  value: string | undefined,
  flags: AccountsFlags,
  shell: Shell,
): Promise<void> => {
  const chosen = Object.hasOwn(actions, action) ? actions[action] : undefined
  if (!chosen) throw new UsageError(`accounts ${action}: choose one of ${Object.keys(actions).join(', ')}.`)
  return withArchive(shell, async archive => {
    const { accountsIn } = await import('./accounts.ts')
    const accounts = accountsIn(archive, { clock: shell.clock })
    const print = (line: string): void => void shell.stdout.write(`${line}\n`)
    await chosen.run({ accounts, archive, name, value, flags, shell, print })
  })
}

export const defineAccounts = (command: Command, shell: Shell): void => {
  const lines = Object.values(actions).map(({ usage, about }) => `  ${usage.padEnd(30)} ${about}`)
  command
    .option('--role <role>', 'admin, member or viewer (for invite; default: member)')
    .option('--email <address>', 'the e-mail address of whom you invite')
    .option('--revoke <code>', 'for keys: revoke the one with this code')
    .option('--per-day <amount>', 'for budget: how much a day, in dollars; none ends it')
    .option('--per-month <amount>', 'for budget: how much a month, in dollars; none ends it')
    .option('--tokens', 'for budget: the amounts are tokens')
    .addHelpText(
      'after',
      `\nActions:\n${lines.join('\n')}\n\nThe server asks people to log in if ROUNDTABLE_ACCOUNTS=on: \`ROUNDTABLE_ACCOUNTS=on ${programName()} serve\`.`,
    )
    .action(
      (
        action: string | undefined,
        name: string | undefined,
        value: string | undefined,
        flags: AccountsFlags,
      ) => run(action ?? 'list', name, value, flags, shell),
    )
}
