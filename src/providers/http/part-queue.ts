/** Holds the parts of a reply between the network and the reader. */
import type { ModelPart } from '../provider.ts'

export type TextType = 'text' | 'thinking' | 'refusal'

type Result = IteratorResult<ModelPart, undefined>
type Waiting = { type: TextType; text: string } | Exclude<ModelPart, { type: TextType }>

const isText = (part: Waiting | undefined): part is { type: TextType; text: string } =>
  part !== undefined && 'text' in part

/**
 * A queue with one reader. Text that arrives before it is read is joined, so a slow reader, or a network
 * that brings many tokens at once, costs one step and not one for each token.
 */
export class PartQueue implements AsyncIterableIterator<ModelPart, undefined> {
  readonly #parts: Waiting[] = []
  readonly #settle: (left: boolean) => void
  #reader: ((result: Result) => void) | undefined
  #waking = false
  #over = false

  /** `settle` is called once: after the last part was added, or when the reader leaves before that. */
  constructor(settle: (left: boolean) => void) {
    this.#settle = settle
  }

  /** Nothing more can be added. */
  get over(): boolean {
    return this.#over
  }

  addText(type: TextType, text: string): void {
    if (this.#over || text === '') return
    const last = this.#parts.at(-1)
    if (isText(last) && last.type === type) last.text += text
    else this.#parts.push({ type, text })
    this.#wake()
  }

  /** Adds a source, a usage, or the last part. */
  add(part: Exclude<ModelPart, { type: TextType }>): void {
    if (this.#over) return
    this.#parts.push(part)
    this.#wake()
    if (part.type === 'usage' || part.type === 'source') return
    this.#over = true
    this.#settle(false)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<Result> {
    const part = this.#parts.shift()
    if (part) return Promise.resolve({ value: part, done: false })
    if (this.#over) return Promise.resolve({ value: undefined, done: true })
    return new Promise(resolve => {
      this.#reader = resolve
    })
  }

  return(): Promise<Result> {
    const left = !this.#over
    this.#over = true
    this.#parts.length = 0
    this.#reader?.({ value: undefined, done: true })
    this.#reader = undefined
    if (left) this.#settle(true)
    return Promise.resolve({ value: undefined, done: true })
  }

  /** Wakes the reader after the current network chunk, so that all tokens of the chunk are joined first. */
  #wake(): void {
    if (!this.#reader || this.#waking) return
    this.#waking = true
    queueMicrotask(() => {
      this.#waking = false
      const reader = this.#reader
      const part = this.#parts.shift()
      if (!reader || !part) return
      this.#reader = undefined
      reader({ value: part, done: false })
    })
  }
}
