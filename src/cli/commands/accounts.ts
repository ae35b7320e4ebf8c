/** `accounts`: people, invitations and keys of a server with accounts, for whoever runs it. */
import type { Command } from 'commander'
import type { Accounts } from '../../accounts/accounts.ts'
import { UsageError } from '../../core/errors.ts'
import type { Shared } from '../../store/shared/shared.ts'
import { withArchive } from '../archive/sessions.ts'
import { oneLine } from '../terminal/cells.ts'
import { programName } from '../terminal/program-name.ts'
import type { Shell } from '../terminal/shell.ts'

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

const terminal = async () => (await import('../../accounts/audit.ts')).atTerminal

const dayOf = (at: string | number): string => new Date(at).toISOString().slice(0, 10)

/** Prints a link that works once. */
const invite = async ({ accounts, archive, name, flags, shell, print }: Given, roleName: string) => {
  const [{ roleFrom, checkedName }, { invitationDays, invitationPath }] = await Promise.all([
    import('../../accounts/person.ts'),
    import('../../accounts/invitations.ts'),
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
    const { roleFrom } = await import('../../accounts/person.ts')
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
    const { newSecret } = await import('../../accounts/secrets.ts')
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
    const { budgetLine } = await import('../accounts/budgets.ts')
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
    const { spentLines } = await import('../accounts/budgets.ts')
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
    const { accountsIn } = await import('../../accounts/accounts.ts')
    const accounts = accountsIn(archive, { clock: shell.clock })
    const print = (line: string): void => void shell.stdout.write(`${line}\n`)
    await chosen.run({ accounts, archive, name, value, flags, shell, print })
  })
}

export const define = (command: Command, shell: Shell): void => {
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
