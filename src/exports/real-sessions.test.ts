import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { context } from '../../test/contracts/exports-contract.ts'
import { importText } from './index.ts'
import { documentOf, type SessionDocument } from './json.ts'

const folder = join(import.meta.dirname, '../../../shared/data/real-sessions')
const files = existsSync(folder) ? readdirSync(folder).filter(file => /^session-\d+\.json$/.test(file)) : []

const campsOf = ({ rounds }: SessionDocument) => rounds.map(({ camps, contested }) => ({ camps, contested }))
const movesOf = ({ rounds }: SessionDocument) => rounds.map(({ answers }) => answers.map(({ move }) => move))

/** Rankings were lists of options, before several could share a place. */
const tallyOf = (tally: SessionDocument['verdict']['final']) =>
  tally && {
    ...tally,
    ranking: tally.ranking && 'places' in tally.ranking ? tally.ranking.places.flat() : tally.ranking,
  }

/**
 * In the line, medians are rounded and labels quoted now. No answer is called surprisingly popular any more, and
 * what stands beside the count is sentences. All else is as it was.
 */
const verdictOf = ({ verdict }: SessionDocument) => {
  const {
    line,
    sealed,
    final,
    flags,
    asides: _asides,
    others: _others,
    ...counted
  } = verdict as typeof verdict & { others?: unknown }
  return {
    ...counted,
    ...{ sealed: tallyOf(sealed), final: tallyOf(final) },
    flags: flags.filter(flag => flag !== 'surprisingly popular'),
    line: line.replace(/; median .*/, '').replaceAll(/[“”]/g, ''),
  }
}

describe.skipIf(files.length === 0)(
  'sessions of earlier versions (skipped where ../shared/data/real-sessions is absent)',
  () => {
    it.each(files)('[C24] %s has the camps, moves and verdict that it had', file => {
      const text = readFileSync(join(folder, file), 'utf8')
      const before = JSON.parse(text) as SessionDocument
      const now = JSON.parse(JSON.stringify(documentOf(importText(text, context)))) as SessionDocument
      expect(campsOf(now)).toEqual(campsOf(before))
      expect(movesOf(now)).toEqual(movesOf(before))
      expect(verdictOf(now)).toEqual(verdictOf(before))
      expect(now.influence).toEqual({ ...before.influence, granted: [] })
    })
  },
)
