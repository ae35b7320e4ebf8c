/** Finds where a report contradicts the verdict: the moderator words the numbers, it does not make them. */
import type { Verdict } from './verdict.ts'

const words = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]
const count = `(\\d+|${words.join('|')})`
const people = '(?:models?|seats?|participants?|panelists?|members?)'

const countFrom = (text: string): number => {
  const word = words.indexOf(text.toLowerCase())
  return word >= 0 ? word : Number(text)
}

const isUnanimous = (verdict: Verdict): boolean =>
  verdict.level === 'unanimous' || verdict.level === 'unanimous-with-caveats'

/** Every number of seats that the verdict itself holds. */
const trueCounts = (verdict: Verdict): Set<number> => {
  const tallies = [verdict.sealed, verdict.final].filter(tally => tally !== null)
  const silent = tallies.flatMap(tally => [tally.silent.length, tally.abstained.length])
  const camps = tallies.flatMap(tally => tally.camps.map(camp => camp.seats.length))
  return new Set([
    verdict.of,
    verdict.answered,
    verdict.agree,
    verdict.flips,
    verdict.dissent.length,
    ...silent,
    ...camps,
  ])
}

const matches = (text: string, pattern: string): RegExpMatchArray[] => [
  ...text.matchAll(new RegExp(pattern, 'giu')),
]

/** What is wrong with the report's numbers, in words; empty where nothing is. */
export const contradictions = (report: string, verdict: Verdict): string[] => {
  const counts = trueCounts(verdict)
  const found: string[] = []
  for (const [said, part, whole] of matches(
    report,
    `\\b${count} (?:out )?of (?:the |all )?${count}\\b(?! ${'(?:percent|years?|days?)'})`,
  )) {
    const fits = counts.has(countFrom(part!)) && [verdict.of, verdict.answered].includes(countFrom(whole!))
    if (!fits) found.push(`it says "${said}", the verdict is "${verdict.line}"`)
  }
  for (const [said, all] of matches(report, `\\ball ${count} (?:of the )?${people}`)) {
    const everybody = isUnanimous(verdict) && countFrom(all!) === verdict.of
    const answering = verdict.agree === verdict.answered && countFrom(all!) === verdict.answered
    if (!everybody && !answering) found.push(`it says "${said}", the verdict is "${verdict.line}"`)
  }
  for (const [said, some] of matches(report, `\\b${count} ${people}\\b`)) {
    if (!counts.has(countFrom(some!))) found.push(`it says "${said}", the verdict is "${verdict.line}"`)
  }
  const agreed = verdict.agree === verdict.answered && verdict.answered > 0
  for (const [said] of matches(
    report,
    '\\b(?<!not |near-|almost |nearly )(?:unanimous(?:ly)?|unanimity)\\b',
  )) {
    if (!isUnanimous(verdict) && !agreed) found.push(`it says "${said}", and the table was not unanimous`)
  }
  if (verdict.level === 'tie' || verdict.level === 'split' || verdict.level === 'plurality') {
    for (const [said] of matches(report, '\\b(?<!no |not a |without a )(?:clear )?majority\\b')) {
      found.push(`it says "${said}", and there is none: ${verdict.line}`)
    }
  }
  return found
}
