/** Reads what stands between "Model Responses" and "Final Summary": a name and a text for each seat. */

import { type ModelError, modelErrorKinds, wordingOf } from '../../core/errors.ts'
import type { Answer } from '../../core/question/answer.ts'
import type { Format } from '../../core/question/question.ts'
import { type Details, readDetails } from './details.ts'
import {
  answers,
  bareFieldText,
  bodyText,
  details,
  fieldText,
  isContinuation,
  responses,
  textResponses,
} from './lines.ts'
import { found, type TextSource } from './source.ts'
import { readError, readValue } from './values.ts'

export type ReadSeat = { readonly name: string; readonly changed: boolean } & HandedInText
interface GivenText {
  readonly status: 'given'
  readonly headline: string
  readonly reasoning: string
  readonly value: Partial<Answer>
  readonly details: Details
}
type HandedInText =
  | GivenText
  | { readonly status: 'silent'; readonly error: ModelError }
  | { readonly status: 'abstained'; readonly words: string }

const changedMark = ' (changed mind)'

/** A seat's first line is its name, which nothing marks: it is the block before its answer. */
const nameBefore = (source: TextSource, at: number, from: number): number => {
  if (source.gap === 1 && source.lines[at - 1] !== '')
    return source.fail(
      at,
      `a blank line was expected before ${found(source.lines[at]).slice('found '.length)}`,
    )
  const start = source.fieldEndingAt(at - 1 - source.gap)
  if (start <= from) return source.fail(at, 'the name of a model was expected before its answer')
  return start
}

export const readSeats = (source: TextSource, format: Format, from: number, to: number): ReadSeat[] => {
  const section = source.lines.slice(from + 1, to)
  const handedIn = section.flatMap((line, index) => (answers.isStructure(line) ? [from + 1 + index] : []))
  let last = from
  const starts: number[] = []
  for (const at of handedIn) {
    starts.push(nameBefore(source, at, last))
    last = at
  }
  if (source.between(from, starts[0] ?? to).length > 0)
    return source.fail(from + 1 + source.gap, 'the name of a model was expected, and then its answer')
  const heads = starts.map(start => readName(source, start))
  const names = heads.map(head => head.name)
  return heads.map((head, index) => ({
    ...head,
    ...readHandedIn(source, format, handedIn[index] ?? to, starts[index + 1] ?? to, names),
  }))
}

const readName = (source: TextSource, start: number): Pick<ReadSeat, 'name' | 'changed'> => {
  const written = bareFieldText(source.fieldAt(start), responses)
  const changed = written.endsWith(changedMark)
  const name = (changed ? written.slice(0, -changedMark.length) : written).replace(
    / \(changed mind\\(\\*)\)$/,
    ' (changed mind$1)',
  )
  if (name.trim() === '') return source.fail(start, 'the name of a model is missing')
  return { name, changed }
}

const readHandedIn = (
  source: TextSource,
  format: Format,
  at: number,
  next: number,
  names: readonly string[],
): HandedInText => {
  const block = source.fieldAt(at)
  const prefix = /^[^:]*: /.exec(block[0] ?? '')?.[0] ?? ''
  const text = fieldText(block, prefix)
  const end = at + block.length
  const lines = source.between(end - 1, next)
  if (prefix === 'Answer: ') return readGiven(source, format, { at, end, next }, text, lines, names)
  const absence = readAbsence(source, at, prefix, text)
  return lines.length === 0
    ? absence
    : source.fail(end + source.gap, 'the name of the next model was expected')
}

const readAbsence = (source: TextSource, at: number, prefix: string, text: string): HandedInText => {
  if (prefix === 'Abstained: ') return { status: 'abstained', words: text }
  const error = readError(text)
  if (error) return { status: 'silent', error }
  const reasons = modelErrorKinds.map(kind => wordingOf(kind).short).join(', ')
  return source.fail(
    at,
    `why the seat is silent was expected as "<reason>: <message>", with one of ${reasons}`,
  )
}

/** The answer, and behind its text what the seat says besides. */
const readGiven = (
  source: TextSource,
  format: Format,
  { at, end, next }: Record<'at' | 'end' | 'next', number>,
  text: string,
  lines: readonly string[],
  names: readonly string[],
): HandedInText => {
  const begins = lines.findIndex(details.isStructure)
  if (begins < 0) return { ...readAnswer(source, format, at, text, lines), details: {} }
  const own = lines.slice(0, Math.max(0, begins - source.gap))
  const from = end + source.gap + begins
  return {
    ...readAnswer(source, format, at, text, own),
    details: readDetails(source, from, next - source.gap, names),
  }
}

const aboutText = 'About the text: '

/** A text, and after it what its author says about it. */
const readText = (source: TextSource, lines: readonly string[]): Pick<GivenText, 'reasoning' | 'value'> => {
  const about = lines.findIndex(line => line.startsWith(aboutText))
  const written = about < 0 ? lines : lines.slice(0, Math.max(0, about - source.gap))
  return {
    reasoning: about < 0 ? '' : fieldText(lines.slice(about), aboutText),
    value: written.length === 0 ? {} : { text: bodyText(written, textResponses) },
  }
}

const readAnswer = (
  source: TextSource,
  format: Format,
  at: number,
  text: string,
  lines: readonly string[],
): Omit<GivenText, 'details'> => {
  const value = readValue(format, text)
  if (!value) return source.fail(at, `a number was expected, ${found(text)}`)
  if (format === 'text') return { status: 'given', headline: text, ...readText(source, lines) }
  if (format === 'open' || lines.length === 0)
    return { status: 'given', headline: text, reasoning: bodyText(lines, responses), value }
  const more = lines.findIndex((line, index) => index > 0 && !isContinuation(line))
  const split = more < 0 ? lines.length : more
  const headline = bareFieldText(lines.slice(0, split), responses)
  const reasoning = lines.slice(split)
  if (source.gap === 1 && reasoning.length > 0 && (reasoning.shift() !== '' || reasoning.length === 0))
    return source.fail(at + 2, 'a blank line was expected between the headline and the reasoning')
  return { status: 'given', headline, reasoning: bodyText(reasoning, responses), value }
}
