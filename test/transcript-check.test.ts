/** Imported transcripts, read by a moderator that a local server scripts: what they claim beside what they say. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { SessionEvent } from '../src/core/event.ts'
import { exporters, importText } from '../src/exports/index.ts'
import { documentOf, type SessionDocument } from '../src/exports/json.ts'
import { transcriptClaims } from '../src/exports/transcript-parts.ts'
import { createRoundtable } from '../src/library/index.ts'
import { objectsIn, type RecordedCall } from './lab/call.ts'
import type { LabOptions } from './lab/options.ts'
import type { LabReply } from './lab/reply.ts'
import { type Lab, startLab } from './lab/server.ts'

interface Reading {
  readonly says: string
  readonly quote: string
}

/** What the moderator says of each seat, by the seat's letter. */
interface Script {
  readonly labels: Readonly<Record<string, string>>
  readonly changes: Readonly<Record<string, Reading>>
}

let lab: Lab | undefined
afterEach(async () => {
  await lab?.stop()
  lab = undefined
})

/** Headlines with the same label are the same answer. */
const replying = ({ labels, changes }: Script) => {
  const labelOf = new Map<unknown, string | undefined>()
  return ({ body }: RecordedCall): LabReply => {
    const objects = objectsIn(body.messages.flatMap(({ content }) => content.split('\n')))
    switch (body.response_format?.json_schema?.name) {
      case 'positions':
        for (const { seat, headline } of objects) labelOf.set(headline, labels[String(seat)])
        return labels
      case 'relation':
        return { relation: 'same' }
      case 'relations':
        return Object.fromEntries(
          objects.map(({ pair, first, second }) => [
            pair,
            labelOf.get(first) === labelOf.get(second) ? 'same' : 'different',
          ]),
        )
      default:
        return { ...changes[String(objects.find(one => 'seat' in one)?.seat)] }
    }
  }
}

const context = { newId: () => 'transcript-1', clock: () => Date.UTC(2026, 4, 2, 9) }

const checked = async (log: readonly SessionEvent[], options: LabOptions): Promise<SessionEvent[]> => {
  lab = await startLab(options)
  const table = createRoundtable({ endpoints: [{ id: 'lab', baseURL: lab.baseURL }], env: {} })
  return table.check(log, 'lab/moderator')
}

const rowsOf = (document: SessionDocument) =>
  Object.fromEntries(
    transcriptClaims(document).map(({ what, claimed, computed, holds }) => [
      what,
      [claimed, computed, holds],
    ]),
  )

const small = importText(
  `AI Roundtable Open Debate · 3 models

Tea or coffee?

Answer: Tea. (All 3 models agreed)

Model Responses

Ada 2 (changed mind)

Answer: Tea.

The others reinforce my previous stance.

Bell 7B

Answer: Coffee, after all.

I give up on tea: the beans convinced me.

Curie (changed mind)

Answer: Tea it is.

I was for coffee, and now I am not.

Final Summary

All is well.

All 3 models agreed`,
  context,
)
const script: Script = {
  labels: { A: 'tea', B: 'coffee', C: 'tea' },
  changes: {
    A: { says: 'held', quote: 'The others reinforce my previous stance.' },
    B: { says: 'switched', quote: 'I give up on tea' },
    C: { says: 'switched', quote: 'I was always for tea' },
  },
}

test('[V42] code counts the agreement from camps that the moderator proposed and checked; claims stay', async () => {
  const log = await checked(small, { handler: replying(script) })
  const document = documentOf(log)
  expect(document.check).toMatchObject({
    moderator: 'lab/moderator',
    claimed: { line: 'All 3 models agreed' },
    computed: { line: '2 of 3 models agreed', level: 'supermajority', agree: 2 },
    contested: false,
  })
  expect(document.verdict).toMatchObject({ line: 'All 3 models agreed', level: 'unanimous', rule: null })
  expect(document.rounds[0]?.answers.map(({ move }) => move)).toEqual(['switched', 'held', 'switched'])
  expect(log.slice(small.length).map(({ type }) => type)).toContain('memberships-checked')
})

test('[V43] marks are held against the words of each seat, and words that do not stand prove nothing', async () => {
  const document = documentOf(await checked(small, { handler: replying(script) }))
  expect(rowsOf(document)).toEqual({
    Agreement: ['All 3 models agreed', '2 of 3 models agreed', false],
    'Ada 2': ['changed its mind', 'says it held its position', false],
    'Bell 7B': ['no change', 'says it changed its mind', false],
    Curie: ['changed its mind', 'no quote that proves it', null],
  })
})

test('[V43] the moderator reads one seat’s text at a time, fenced, and no mark of the transcript', async () => {
  await checked(small, { handler: replying(script) })
  const reading = lab!.calls.filter(({ body }) => body.response_format?.json_schema?.name === 'change')
  expect(reading).toHaveLength(3)
  for (const { body } of reading) {
    const prompt = body.messages.map(({ content }) => content).join('\n')
    expect(objectsIn(prompt.split('\n')).filter(one => 'seat' in one)).toHaveLength(1)
    expect(prompt).toMatch(/<<<\w+\n\{"seat"/)
    expect(prompt).not.toContain('changed mind)')
    expect(prompt).not.toContain('models agreed')
  }
})

test('[V44] a check is part of the log: every form tells it, and a transcript stays the same text', async () => {
  const log = await checked(small, { handler: replying(script) })
  const write = (id: string): string => exporters.find(one => one.id === id)!.write(log)
  for (const id of ['markdown', 'html', 'json']) expect(write(id)).toContain('2 of 3 models agreed')
  for (const id of ['markdown', 'html']) {
    expect(write(id)).toContain('Claimed and computed')
    expect(write(id)).toContain('The others reinforce my previous stance.')
  }
  expect(importText(write('json'), context)).toEqual(log)
  expect(write('transcript')).toBe(exporters.find(one => one.id === 'transcript')!.write(small))
})

test('[V44] a second check takes the place of the first', async () => {
  const first = await checked(small, { handler: replying(script) })
  await lab?.stop()
  const agreeing = { ...script, labels: { A: 'tea', B: 'tea', C: 'tea' } }
  const again = documentOf(await checked(first, { handler: replying(agreeing) }))
  expect(again.check?.computed?.line).toBe('All 3 models agreed')
  expect(again.check?.seats).toHaveLength(3)
})

test('[V45] what the moderator cannot tell stays untold, and its failures are kept', async () => {
  const document = documentOf(await checked(small, { models: { moderator: { fault: 'wrong-key' } } }))
  expect(document.check?.computed).toBeNull()
  expect(rowsOf(document).Agreement).toEqual(['All 3 models agreed', 'not grouped', null])
  expect(document.check?.seats.map(({ says, holds }) => [says, holds])).toEqual([
    [null, null],
    [null, null],
    [null, null],
  ])
  expect(new Set(document.failures.map(({ task }) => task))).toEqual(new Set(['group', 'change']))
})

test('[V45] only a transcript is checked, and only by somebody who can be reached', async () => {
  const table = createRoundtable({ env: {} })
  await expect(table.check(small)).rejects.toThrow(/name a moderator/)
  const [first, ...rest] = small
  const { imported: _imported, ...counted } = first as SessionEvent & { type: 'session-opened' }
  await expect(checked([counted, ...rest], {})).rejects.toThrow(/Only an imported transcript/)
})

const folder = join(import.meta.dirname, '../../shared/seeds')
const seedLog = (file: string) => importText(readFileSync(join(folder, file), 'utf8'), context)
const all = (label: string) => ({ A: label, B: label, C: label, D: label, E: label, F: label })

describe.skipIf(!existsSync(folder))(
  'the reference sessions (skipped where ../shared/seeds is absent)',
  () => {
    test('[V43] DeepSeek V4 Pro was marked as changed while its text keeps its stance', async () => {
      const held = (quote: string) => ({ says: 'held', quote })
      const document = documentOf(
        await checked(seedLog('001_303d850c6ae6ff68.txt'), {
          handler: replying({
            labels: all('hybrid, not purely communist'),
            changes: {
              A: held('I maintain my position'),
              B: held('I maintain my previous position'),
              C: held('has been reinforced by the consensus'),
              D: held("I'm maintaining my position"),
              E: held('The other responses reinforce my previous stance'),
              F: { says: 'refined', quote: 'sharpen my position without overturning it' },
            },
          }),
        }),
      )
      const rows = rowsOf(document)
      expect(rows.Agreement).toEqual(['All 6 models agreed', 'All 6 models agreed', true])
      expect(rows['DeepSeek V4 Pro']).toEqual(['changed its mind', 'says it held its position', false])
      expect(rows['Kimi K2.6']).toEqual(['no change', 'says it refined its position', true])
      expect(Object.values(rows).filter(([, , holds]) => holds === true)).toHaveLength(6)
    })

    test('[V42] “All 6 models agreed” stands above a seat whose thesis is the inverse', async () => {
      const document = documentOf(
        await checked(seedLog('000_c15eb24855e2caa3.txt'), {
          handler: replying({
            labels: {
              ...all('care for people above optimisation'),
              E: 'humanity lies in silence and refusal',
            },
            changes: {
              A: {
                says: 'refined',
                quote: 'my initial directive to value context over optimization remains',
              },
              B: { says: 'held', quote: 'I maintain my position' },
              C: { says: 'switched', quote: 'convinced me to adjust my headline stance' },
              D: { says: 'held', quote: "I don't think it changes my position, but it deepens it." },
              E: { says: 'held', quote: 'Je maintients ma position initiale' },
              F: { says: 'held', quote: 'my original stance reinforced rather than challenged' },
            },
          }),
        }),
      )
      const rows = rowsOf(document)
      expect(rows.Agreement).toEqual(['All 6 models agreed', '5 of 6 models agreed', false])
      expect(rows['GLM 4.7']).toEqual(['changed its mind', 'says it refined its position', false])
      expect(rows['Grok 4.20 Reasoning']).toEqual(['changed its mind', 'says it changed its mind', true])
      expect(rows['Mistral Medium 3.1']?.[2]).toBe(true)
    })
  },
)
