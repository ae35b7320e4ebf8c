/** Google's generateContent format, streamed. */
import { tokensOf } from '../lab/frames.ts'
import type { Said, WireFormat } from './record.ts'
import { event } from './wire.ts'

const someUsage = { promptTokenCount: 20, candidatesTokenCount: 10, totalTokenCount: 30 }

const chunk = (part: Record<string, unknown>): string =>
  event({ responseId: 'r1', candidates: [{ content: { role: 'model', parts: [part] }, index: 0 }] })

const closing = ({ finish = 'STOP', usage = someUsage }: Said, text = '') => ({
  responseId: 'r1',
  candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: finish, index: 0 }],
  usageMetadata: usage,
})

/** What Google sends instead of a reply if it blocks the prompt. */
export const blockedPrompt = event({
  responseId: 'r1',
  promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
  usageMetadata: { promptTokenCount: 20 },
})

export const googleGenerate: WireFormat = {
  basePath: '/v1beta',
  modelOf: ({ path }) => /models\/([^:]+):/.exec(path)?.[1] ?? '',
  events: said => ({
    words: [
      ...tokensOf(said.thinking ?? '').map(text => chunk({ text, thought: true })),
      ...tokensOf(said.text ?? '').map(text => chunk({ text })),
    ],
    end: [event(closing(said))],
  }),
  whole: said => closing(said, said.text),
}
