import fc from 'fast-check'
import MarkdownIt, { type Env, type Token } from 'markdown-it'
import { describe, expect, it } from 'vitest'
import { answered, anySession, example, logOf, opening } from '../../test/contracts/exports-contract.ts'
import { weighedLog } from '../../test/weighed-session.ts'
import { exporterNamed } from './index.ts'
import { markdown } from './markdown.ts'

const { write } = markdown()

/** A reader's renderer, of the kind that draws everything. */
const reader = new MarkdownIt({ html: true })
reader.validateLink = () => true

/** What stands on the top level of the document. */
const outline = (text: string): string[] =>
  reader
    .parse(text, {})
    .flatMap(({ type, tag, level }, index, tokens) =>
      type === 'heading_open' && level === 0 ? [`${tag.slice(1)} ${tokens[index + 1]!.content}`] : [],
    )

/** What could act: HTML, images, addresses of links, and names that are defined to stand for addresses. */
const actingIn = (text: string): string[] => {
  const env: Env = {}
  const acting = (token: Token): string[] => [
    ...(['html_block', 'html_inline', 'image'].includes(token.type) ? [token.content] : []),
    ...(token.type === 'link_open' ? [String(token.attrGet('href'))] : []),
    ...(token.children ?? []).flatMap(acting),
  ]
  return [...reader.parse(text, env).flatMap(acting), ...Object.keys(env.references ?? {})]
}

describe('the Markdown document', () => {
  it('[X18] tells the session: verdict, tally, who moved and why, every round, absences, cost', () => {
    const text = write(example)
    expect(outline(text)).toEqual([
      '1 AI Roundtable Open Debate · 4 models',
      '2 Question',
      '2 Verdict',
      '2 Final summary',
      '2 Tally, sealed → final',
      '2 Who moved, and why',
      '2 Who won others over',
      '2 Sealed round',
      '3 A · Ada 2',
      '3 B · Bell 7B',
      '3 C · Curie Large',
      '3 D · Darwin',
      '2 Open round 1',
      '3 A · Ada 2',
      '3 B · Bell 7B',
      '3 C · Curie Large',
      '3 D · Darwin',
      '2 Tokens and cost',
    ])
    for (const part of [
      '**All 3 models that answered agreed; Darwin abstained**',
      'Answer: It is a sandwich.',
      'Counterpoint: The law differs.',
      '| sandwich | 2 (Ada 2, Curie Large) | 3 (Ada 2, Bell 7B, Curie Large) |',
      '**Bell 7B** changed its mind in open round 1, from “own thing” to “sandwich”, to the camp that was largest (reinterpretation), crediting Ada 2 (found in its answer):\n\n> Bread holds a filling',
      '*Silent: server error (500)*\n\n> Boom &lt;b>',
      '*Abstained*\n\n> I would rather not say.',
      '| Total | 660 | 330 | unknown |',
    ]) {
      expect(text).toContain(part)
    }
  })

  it('[X30] shows readings, points with their quotes, and what became of each answer', () => {
    const text = write(weighedLog)
    for (const part of [
      'Reads the question as: “Sandwich” as the law uses the word.',
      "Says it kept its answer, conceding a point (a peer's point), crediting Claude Sonnet 4.6 (found in its answer):\n\n> A bun is one piece of bread",
      'Says it kept its answer; its answer is in another camp.',
      'Says it narrowed its answer (its own error).',
      'On the points of others:\n\n- Claude Sonnet 4.6: “A bun is one piece of bread” (found in its answer)\n  *holds*: It is one piece.',
      '- Mistral Medium 3.1: “a hot dog is a taco” (not found in its answer)\n  *does not hold*: A taco is folded.',
    ]) {
      expect(text).toContain(part)
    }
  })

  it('[X19] labels scripted seats and explains every flag', () => {
    const { seats } = opening()
    const events = logOf([
      opening({ seats: seats.map(seat => ({ ...seat, scripted: true })), moderator: null }),
      { type: 'round-opened', round: 0, sealed: true },
      answered(0, 's1', { headline: 'One.', drifted: true, language: 'fr' }),
      answered(0, 's2', { headline: 'Two.' }),
    ])
    const text = write(events)
    expect(text).toContain('Scripted: the replies of all seats were written in advance')
    expect(text).toContain('- *scripted seats*: Replies of scripted seats were written in advance')
    expect(text).toContain('- *language drift*: A seat did not answer in the language of the question')
    expect(text).toContain('answered in another language (fr)')
  })

  it('[X20] no text of a model adds a heading, HTML, an image or a script link to it', () => {
    fc.assert(
      fc.property(anySession, events => {
        const text = write(events)
        const rounds = events.filter(event => event.type === 'round-opened').length
        expect(outline(text).filter(heading => heading.startsWith('2')).length).toBeLessThanOrEqual(
          10 + rounds,
        )
        expect(outline(text).filter(heading => heading.startsWith('1'))).toHaveLength(1)
        expect(actingIn(text).filter(one => !/^(?:https?:\/\/|mailto:)/.test(one))).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    '[foo]: javascript:alert(1)',
    '1. [foo]: javascript:alert(1)',
    '- 2) [foo]: javascript:alert(1)',
    '[fo\no]: javascript:alert(1)',
    '[foo\\]bar]: javascript:alert(1)',
    '[foo]:\njavascript:alert(1)',
  ])('[X20] a text defines no link for the document: %j', definition => {
    const reasoning = `${definition}\n\n[foo] [fo o] [foo\\]bar] [click][foo]`
    const log = logOf([
      opening(),
      { type: 'round-opened', round: 0, sealed: true },
      answered(0, 's1', { headline: 'Yes.', reasoning }),
    ])
    expect(actingIn(write(log))).toEqual([])
  })
})

const read = (seat: string, reading: string) => answered(0, seat, { headline: `By ${reading}`, reading })
const apart = logOf([
  opening({ kind: 'taste' }),
  { type: 'round-opened', round: 0, sealed: true },
  read('s1', 'the town'),
  read('s2', 'the county'),
  read('s3', 'the <em>shire</em>'),
  read('s4', 'the town'),
])

describe.each(['markdown', 'html'])('%s', id => {
  const text = exporterNamed(id).write(apart)

  it('[P93] says if the split is partly about words, with the readings and who holds them', () => {
    expect(text).toContain('The split is partly about words')
    expect(text).toContain('the town (Ada 2, Darwin)')
    expect(text).not.toContain('<em>shire')
  })

  it('[P94] says what kind of question it is', () => {
    expect(text).toContain(
      'A matter of taste: no answer is right, so read the positions. (Chosen by the asker.)',
    )
  })
})
