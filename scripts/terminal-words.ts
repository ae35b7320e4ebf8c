/**
 * Finds texts that name a flag or a command of the terminal. Only rooms with a command may: who reads such a text on
 * a page, over HTTP or from the library can't type it. Errors carry a kind there, and the terminal adds its advice.
 */
import { readFileSync } from 'node:fs'

/** Comments are matched too, so that quotation marks in them don't begin a text; regular expressions are not parsed. */
const tokens =
  /\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*|'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`|>([^<>{}]*)</g

/** A flag alone is an argument for another program; a name with a colon behind it is a property of a style sheet. */
const isFlagAlone = (text: string): boolean => /^--[a-z-]+$/.test(text)
const flag = /(?:^|[\s`])--[a-z][\w-]*(?![\w:-])/

/** The names in the list of commands: `usage: 'ask [question]'`. */
const commands = [...readFileSync('src/main/program.ts', 'utf8').matchAll(/^ {4}usage: '(\w+)/gm)].map(
  ([, name]) => name,
)
const command = new RegExp(`\`roundtable |\\broundtable (?:${commands.join('|')})\\b`)

export const terminalWordsIn = (source: string): string[] =>
  [...source.matchAll(tokens)]
    .map(found => found.slice(1).find(text => text !== undefined) ?? '')
    .map(text => text.replaceAll('\\`', '`'))
    .filter(text => !isFlagAlone(text) && (flag.test(text) || command.test(text)))
