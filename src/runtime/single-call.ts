/** One call to one model outside of any session, under the same limits and deadlines. Nothing of it goes into a log. */
import type { Budget } from '../core/log/event.ts'
import type { Usage } from '../core/log/spent.ts'
import type { Session } from '../core/log/state.ts'
import { failureWords } from '../core/wording/handed-in.ts'
import type { Prompt } from '../protocols/protocol.ts'
import { type Asked, ask } from './ask.ts'
import { meterFor } from './budget.ts'
import { deadlinesWithin, resolveModel } from './context.ts'
import { bothMeters } from './payer-meter.ts'
import type { Runner } from './runner.ts'
import { usedBefore } from './used-before.ts'

export interface SingleCall<T> {
  /** `provider/model`. */
  readonly model: string
  readonly prompt: Prompt
  /** Seconds. */
  readonly deadline: number
  readonly budget?: Budget | undefined
  /** The session that the call belongs to: what it used counts against the budget. */
  readonly after?: Session
  read(raw: Record<string, unknown>): T | { readonly problem: string }
}

export interface Called<T> {
  readonly value: T
  readonly usage?: Usage
}

/** The model was asked and gave nothing that can be used. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed'
  readonly budget: boolean

  constructor(model: string, asked: Exclude<Asked<unknown>, { status: 'given' }>) {
    super(
      `${model} gave no reply that can be used: ${asked.status === 'silent' ? failureWords(asked.error) : asked.words}`,
    )
    this.budget = asked.status === 'silent' && asked.error.kind === 'budget'
  }
}

/** Throws CallFailed if the model fails. */
export const singleCall = async <T>(runner: Runner, call: SingleCall<T>): Promise<Called<T>> => {
  const { model, prompt, deadline, budget, after, read } = call
  const asked = await ask<T>({
    ...runner,
    ...resolveModel(runner.providers, model),
    prompt,
    read,
    deadlines: deadlinesWithin(deadline * 1_000),
    meter: bothMeters(meterFor(budget, after ? usedBefore(after) : []), runner.payer),
    queue: runner.openQueue(),
    name: `single ${model}`,
  })
  if (asked.status !== 'given') throw new CallFailed(model, asked)
  return { value: asked.value, ...(asked.usage && { usage: asked.usage }) }
}
