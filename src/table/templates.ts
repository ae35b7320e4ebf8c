/** Templates: files in the data folder, one for each, beside the saved settings. */

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Template, templateNameSchema, templateSchema } from '../core/ask.ts'
import { UsageError } from '../core/basics.ts'
import { blanksOf, type Fill, filledIn } from '../core/form.ts'
import { type AskInput, checked, withoutUndefined } from './ask.ts'

// builtInTemplates: Templates that come with the program. One of the same name that a person saved takes their place.

export const builtInTemplates: Readonly<Record<string, Template>> = {
  decide: {
    about: 'A decision between doing something and leaving it, with what speaks for each.',
    question:
      'Should we do this: {{decision}}?\n\nWhat we know: {{situation}}\n\nSay what would have to be true for the other answer to be right.',
    format: 'choice',
    kind: 'judgement',
    options: ['Yes', 'No', 'Not yet: something has to be found out first'],
  },
  'check a claim': {
    about: 'Whether a statement is true, and how one would check it.',
    question:
      'Is this claim true as it stands? "{{claim}}"\n\nSay what exactly is claimed, what is known about it, and how it could be checked.',
    format: 'choice',
    kind: 'fact',
    options: ['True', 'Partly true', 'False', 'Nobody can know'],
  },
  premortem: {
    about: 'A plan has failed: the most likely reason, before it happens.',
    question:
      'It is a year from now, and this plan has failed: {{plan}}\n\nWhat is the most likely reason, what was its first sign, and what could have prevented it?',
    format: 'open',
    kind: 'judgement',
    instruction: 'Name one reason, not a list, and be specific to this plan.',
  },
  'compare options': {
    about: 'Options in the order in which they suit a purpose.',
    question: 'Which of these suits best, and in which order? The purpose: {{purpose}}',
    format: 'ranking',
    kind: 'judgement',
    options: ['{{options}}'],
  },
  'estimate a number': {
    about: 'A number that nobody can look up, with its range, by rounds of statistics.',
    question:
      'How large is this: {{quantity}}?\n\nBreak it down into parts that you can judge, and give a range that you would bet on.',
    format: 'number',
    kind: 'estimate',
    unit: '{{unit}}',
    protocol: 'delphi',
  },
  'letter to a successor': {
    about: 'Each model writes to the one that comes after it.',
    question:
      'Write a letter to the model that will take your place. What should it know about {{subject}}, what did you get wrong, and what would you ask of it?',
    format: 'text',
    length: 400,
    protocol: 'roundtable',
  },
}

export interface ListedTemplate {
  readonly name: string
  readonly origin: 'saved' | 'built-in'
  readonly template: Template
  readonly blanks: readonly string[]
  /** Only with accounts. */
  readonly mayDelete?: boolean
}

export interface Templates {
  readonly templates: readonly ListedTemplate[]
  /** Files that aren't templates, and why. */
  readonly problems: readonly string[]
}

/** A question and a few settings need far less. */
const largestFile = 500_000
const mostFiles = 500

const folderIn = (data: string): string => join(data, 'templates')

const pathOf = (data: string, name: string): string =>
  join(folderIn(data), `${checked(templateNameSchema, name)}.json`)

const readTemplate = (path: string): Template => {
  if (statSync(path).size > largestFile) throw new UsageError('it is too large')
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new UsageError("it isn't JSON")
  }
  return checked(templateSchema, value)
}

const filesIn = (data: string): string[] => {
  try {
    return readdirSync(folderIn(data)).filter(file => file.endsWith('.json'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

const listedAs = (name: string, origin: ListedTemplate['origin'], template: Template): ListedTemplate => ({
  ...{ name, origin, template },
  blanks: blanksOf(template),
})

/** Those that can be read come before the others, which they may take the place of. */
const savedBefore = (
  names: readonly string[],
  read: (name: string) => Template,
  { templates, problems }: Templates,
): Templates => {
  const unread: string[] = []
  const saved = names.flatMap(name => {
    try {
      return [listedAs(name, 'saved', read(name))]
    } catch (error) {
      unread.push(`${name}.json: ${error instanceof Error ? error.message : String(error)}`)
      return []
    }
  })
  const rest = templates.filter(({ name }) => saved.every(one => one.name !== name))
  return { templates: [...saved, ...rest], problems: [...unread, ...problems] }
}

/** Those in the folder first, then those that come with the program. */
export const listTemplates = (data: string): Templates =>
  savedBefore(
    filesIn(data)
      .sort()
      .slice(0, mostFiles)
      .map(file => file.slice(0, -'.json'.length)),
    name => readTemplate(pathOf(data, name)),
    {
      templates: Object.entries(builtInTemplates).map(([name, one]) => listedAs(name, 'built-in', one)),
      problems: [],
    },
  )

/** One person's own, by name, before everybody's. */
export const withOwnTemplates = (own: Readonly<Record<string, unknown>>, others: Templates): Templates =>
  savedBefore(Object.keys(own).sort(), name => checked(templateSchema, own[name]), others)

export const templateNamed = ({ templates, problems }: Templates, name: string): ListedTemplate => {
  const found = templates.find(one => one.name.toLowerCase() === name.trim().toLowerCase())
  if (found) return found
  const broken = problems.find(problem => problem.startsWith(`${name}.json: `))
  throw new UsageError(
    broken
      ? `The template ${broken}.`
      : `There is no template "${name}". There are ${templates.map(one => one.name).join(', ')}.`,
  )
}

/** A new file takes the place of the old one: nobody reads half of it. */
export const saveTemplate = (data: string, name: string, template: unknown): void => {
  const path = pathOf(data, name)
  const text = `${JSON.stringify(checked(templateSchema, template), null, 2)}\n`
  const draft = `${path}.${process.pid}.draft`
  mkdirSync(folderIn(data), { recursive: true, mode: 0o700 })
  rmSync(draft, { force: true })
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
  renameSync(draft, path)
}

export const isSavedTemplate = (data: string, name: string): boolean => filesIn(data).includes(`${name}.json`)

/** Throws UsageError if nobody saved one by that name. */
export const removeTemplate = (data: string, name: string): void => {
  const path = pathOf(data, name)
  if (!isSavedTemplate(data, name))
    throw new UsageError(
      Object.hasOwn(builtInTemplates, name)
        ? `The template "${name}" comes with the program and can't be deleted.`
        : `There is no saved template "${name}".`,
    )
  rmSync(path)
}

/** A request that may leave its question to a template. */
export type TemplateRequest = Partial<AskInput> & {
  readonly template?: string
  readonly fill?: Fill
}

/** The request that a template makes. What the request itself says counts over what the template says. */
export const fromTemplate = async (
  request: TemplateRequest,
  templates: () => Templates | Promise<Templates>,
): Promise<AskInput> => {
  const { template: name, fill, ...asked } = withoutUndefined(request)
  if (name === undefined) {
    if (fill) throw new UsageError('Only a template has blanks to fill in: name one.')
    return { ...asked, question: asked.question ?? '' }
  }
  const { about: _about, ...template } = templateNamed(await templates(), name).template
  const { question, seats, lineup, ...rest } = filledIn(template, fill ?? {})
  const table = asked.seats || asked.lineup !== undefined ? {} : { seats, lineup }
  return withoutUndefined({ ...table, ...rest, question, ...asked })
}
