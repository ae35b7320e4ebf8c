/** `templates`: lists, shows, saves and deletes questions with blanks. */
import type { Command } from 'commander'
import { UsageError } from '../../core/errors.ts'
import type { ListedTemplate } from '../../table/templates.ts'
import type { AskFlags } from '../session/ask-flags.ts'
import { addTableOptions } from '../session/ask-options.ts'
import { clean, oneLine } from '../terminal/cells.ts'
import type { Shell } from '../terminal/shell.ts'

interface Flags extends AskFlags {
  readonly about?: string
  readonly instruction?: string
  readonly json?: boolean
}

const actions = ['list', 'show', 'save', 'delete'] as const

const rowOf = ({ name, origin, template, blanks }: ListedTemplate): string => {
  const own = origin === 'saved' ? ' (yours)' : ''
  const fill = blanks.map(blank => `--fill ${blank}=…`).join(' ')
  return [` ${oneLine(name)}${own}`, `   ${oneLine(template.about ?? template.question)}`, `   ${fill}`]
    .filter(line => line.trim() !== '')
    .join('\n')
}

const needed = (value: string | undefined, what: string): string => {
  if (value !== undefined) return value
  throw new UsageError(`Give ${what}.`)
}

const run = async (
  action: string,
  name: string | undefined,
  question: string | undefined,
  flags: Flags,
  shell: Shell,
): Promise<void> => {
  const [{ listTemplates, removeTemplate, saveTemplate, templateNamed }, { configAt }, { tableInput }] =
    await Promise.all([
      import('../../table/templates.ts'),
      import('../terminal/config.ts'),
      import('../session/ask-flags.ts'),
    ])
  const { data } = await configAt(shell)
  const print = (text: string): void => void shell.stdout.write(`${text}\n`)
  switch (actions.find(one => one === action)) {
    case 'list': {
      const found = listTemplates(data)
      if (flags.json) return print(JSON.stringify(found, null, 2))
      for (const problem of found.problems) shell.stderr.write(`${oneLine(problem)}\n`)
      return print(found.templates.map(rowOf).join('\n'))
    }
    case 'show': {
      const { template, blanks } = templateNamed(listTemplates(data), needed(name, 'the name of a template'))
      if (flags.json) return print(JSON.stringify(template, null, 2))
      const { question: text, ...rest } = template
      const settings = Object.entries(rest).map(([field, value]) => `${field}: ${JSON.stringify(value)}`)
      const named = blanks.length > 0 ? [`blanks: ${blanks.join(', ')}`] : []
      return print([clean(text), '', ...[...settings, ...named].map(oneLine)].join('\n'))
    }
    case 'save': {
      const { carry: _carry, seed: _seed, attachments: _files, ...table } = tableInput(flags, shell.cwd)
      const { about, instruction } = flags
      const asked = needed(question, 'a question, with blanks as {{name}}')
      saveTemplate(
        data,
        needed(name, 'a name for the template'),
        JSON.parse(JSON.stringify({ ...table, about, instruction, question: asked })),
      )
      return print(`Saved the template "${oneLine(name ?? '')}".`)
    }
    case 'delete':
      removeTemplate(data, needed(name, 'the name of a template'))
      return print(`Deleted the template "${oneLine(name ?? '')}".`)
    case undefined:
      throw new UsageError(`templates ${action}: choose one of ${actions.join(', ')}.`)
  }
}

export const define = (command: Command, shell: Shell): void => {
  addTableOptions(command)
    .option('--about <text>', 'what the template is for, in one line')
    .option('--instruction <text>', 'how seats should answer')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nWrite blanks as {{name}}. An option that is one blank stands for a list of options.\nThe flags above are saved with `save`.',
    )
    .action(
      async (
        action: string | undefined,
        name: string | undefined,
        question: string | undefined,
        flags: Flags,
      ) => run(action ?? 'list', name, question, flags, shell),
    )
}
