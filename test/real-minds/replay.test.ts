/**
 * Sessions in which a real mind sat in every seat and moderated, each without sight of the others. Their replies are run
 * through the program again: what it read, grouped, counted and reported of them must come out again.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { logSchema, type SessionEvent } from '../../src/core/event.ts'
import { fold } from '../../src/core/fold.ts'
import { isUnsupported } from '../../src/core/question.ts'
import { influenceOf, verdictOf } from '../../src/count/verdict.ts'
import type { ModelCall } from '../../src/models/provider.ts'
import { scripted } from '../../src/models/scripted.ts'
import { callQueues } from '../../src/run/budget.ts'
import { run } from '../../src/run/run.ts'

interface Recorded {
  readonly events: readonly SessionEvent[]
  /** In the order in which they were asked for. `form` is the keys of the form, in their order. */
  readonly replies: readonly { readonly model: string; readonly form: string; readonly reply: string }[]
}

const folder = new URL('sessions/', import.meta.url)
const names = readdirSync(folder).filter(name => name.endsWith('.json'))

const recordedIn = (name: string): Recorded => {
  const { events, replies } = JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
  return { events: logSchema.parse(events) as SessionEvent[], replies }
}

const formOf = ({ shape }: ModelCall): string => Object.keys(shape.json.properties as object).join(' ')

/** Each model replies as it did. A form that nobody filled in then gets no answer, and the session differs. */
const replaying = ({ replies }: Recorded) => {
  const left = [...replies]
  return {
    left,
    provider: {
      ...scripted(call => {
        const place = left.findIndex(({ model, form }) => model === call.model && form === formOf(call))
        return place < 0 ? 'There is no reply to this.' : left.splice(place, 1)[0]!.reply
      }),
      id: 'mind',
    },
  }
}

/** What the log says, whenever and in whatever order it was said. */
const contentOf = (events: readonly SessionEvent[]): string[] =>
  logSchema
    .parse(events)
    .map(event => {
      const { position: _position, at: _at, ...content } = event
      const { usage: _usage, timing: _timing, ...said } = content as typeof content & Record<string, unknown>
      return JSON.stringify(said)
    })
    .toSorted()

describe('a real mind in every seat', () => {
  test.each(names)('[R52] %s gives the same log, verdict and report again', async name => {
    const recorded = recordedIn(name)
    const { provider, left } = replaying(recorded)
    const events = await run(
      {
        providers: [provider],
        openQueue: callQueues(),
        clock: () => 0,
        signal: new AbortController().signal,
        publish() {},
        // Nobody looks at it again, but a seat that sees is only asked with its picture.
        file: async (_session, sha256) => ({ sha256, media: 'image/png', data: 'AAAA' }),
      },
      recorded.events.slice(0, 1),
    )
    expect(left).toEqual([])
    const [then, now] = [fold(recorded.events), fold(events)]
    expect(contentOf(events)).toEqual(contentOf(recorded.events))
    expect(verdictOf(now)).toEqual(verdictOf(then))
    expect(influenceOf(now)).toEqual(influenceOf(then))
    expect(now.report).toEqual(then.report)
  })

  test.each(names)(
    '[R52] in %s every seat answered at the first try, and every credit and citation is a true quote',
    name => {
      const { events } = recordedIn(name)
      for (const event of events) {
        expect(event.type).not.toBe('seat-silent')
        if (event.type !== 'answer-given') continue
        const { credit, citations = [] } = event.answer
        if (credit) expect(credit.verified).toBe(true)
        for (const citation of citations) expect(isUnsupported(citation)).toBe(false)
      }
      const session = fold(events)
      expect({
        line: verdictOf(session).line,
        flags: verdictOf(session).flags,
        by: session.reportBy,
        answer: session.report?.answer,
      }).toMatchSnapshot()
    },
  )
})
