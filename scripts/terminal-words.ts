/**
 * Finds texts that name a flag or a command of the terminal. Below src/cli/ there must be none: whoever reads them on a
 * page, over HTTP or from the library cannot type them. Errors carry a kind there, and the terminal adds its advice.
 */
import { globSync } from 'node:fs'
import { basename } from 'node:path'

/** Comments are matched too, so that quotation marks in them don't begin a text; regular expressions are not parsed. */
const tokens =
  /\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*|'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`|>([^<>{}]*)</g

/** A flag alone is an argument for another program; a name with a colon behind it is a property of a style sheet. */
const isFlagAlone = (text: string): boolean => /^--[a-z-]+$/.test(text)
const flag = /(?:^|[\s`])--[a-z][\w-]*(?![\w:-])/

const commands = globSync('src/cli/commands/*.ts')
  .map(file => basename(file, '.ts'))
  .filter(name => !name.endsWith('.test'))
const command = new RegExp(`\`roundtable |\\broundtable (?:${commands.join('|')})\\b`)

export const terminalWordsIn = (source: string): string[] =>
  [...source.matchAll(tokens)]
    .map(found => found.slice(1).find(text => text !== undefined) ?? '')
    .map(text => text.replaceAll('\\`', '`'))
    .filter(text => !isFlagAlone(text) && (flag.test(text) || command.test(text)))
