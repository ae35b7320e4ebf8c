/** Writes tiny GGUF files: real models for the real engine, in half a megabyte. */

import { writeFileSync } from 'node:fs'
import { randomFor } from '../../src/core/basics.ts'

const width = 64
const hidden = 128
const layers = 2
const heads = 4
const vocabularySize = 320
const specials = ['<unk>', '<s>', '</s>']
const endToken = 2
/** The token types of the format: normal, unknown, control, byte. */
const kinds = { normal: 1, unknown: 2, control: 3, byte: 6 }

type Value =
  | string
  | number
  | { readonly float: number }
  | readonly string[]
  | { readonly floats: readonly number[] }
  | { readonly integers: readonly number[] }
type Matrix = { readonly name: string; readonly shape: readonly number[]; readonly values: Float32Array }

const types = { uint32: 4, int32: 5, float32: 6, string: 8, array: 9 }

const integer = (value: number): Buffer => {
  const buffer = Buffer.alloc(4)
  buffer.writeInt32LE(value)
  return buffer
}
const long = (value: number): Buffer => {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64LE(BigInt(value))
  return buffer
}
const float = (value: number): Buffer => {
  const buffer = Buffer.alloc(4)
  buffer.writeFloatLE(value)
  return buffer
}
const text = (value: string): Buffer => Buffer.concat([long(Buffer.byteLength(value)), Buffer.from(value)])
const list = (type: number, items: readonly Buffer[]): Buffer =>
  Buffer.concat([integer(types.array), integer(type), long(items.length), ...items])

const encoded = (value: Value): Buffer => {
  if (typeof value === 'string') return Buffer.concat([integer(types.string), text(value)])
  if (typeof value === 'number') return Buffer.concat([integer(types.uint32), integer(value)])
  if (Array.isArray(value)) return list(types.string, value.map(text))
  if ('float' in value) return Buffer.concat([integer(types.float32), float(value.float)])
  if ('floats' in value) return list(types.float32, value.floats.map(float))
  return list(types.int32, (value as { integers: readonly number[] }).integers.map(integer))
}

const alignment = 32
const padded = (buffer: Buffer): Buffer =>
  Buffer.concat([buffer, Buffer.alloc((alignment - (buffer.length % alignment)) % alignment)])

const gguf = (metadata: Readonly<Record<string, Value>>, matrices: readonly Matrix[]): Buffer => {
  let offset = 0
  const infos = matrices.map(({ name, shape, values }) => {
    const info = [text(name), integer(shape.length), ...shape.map(long), integer(0), long(offset)]
    offset += Math.ceil((values.length * 4) / alignment) * alignment
    return Buffer.concat(info)
  })
  const entries = Object.entries(metadata).map(([key, value]) => Buffer.concat([text(key), encoded(value)]))
  const head = [
    Buffer.from('GGUF'),
    integer(3),
    long(matrices.length),
    long(entries.length),
    ...entries,
    ...infos,
  ]
  const data = matrices.map(({ values }) => padded(Buffer.from(values.buffer)))
  return Buffer.concat([padded(Buffer.concat(head)), ...data])
}

/** Every byte is a token, so that any text can be read; then the pieces that a model may say. */
const vocabulary = (pieces: readonly string[]) => {
  const bytes = Array.from(
    { length: 256 },
    (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
  )
  const normal = pieces.map(piece => piece.replaceAll(' ', '\u2581'))
  const fill = Array.from(
    { length: vocabularySize - specials.length - bytes.length - pieces.length },
    (_, index) => `\u2581w${index}`,
  )
  const tokens = [...specials, ...bytes, ...normal, ...fill]
  const kindOf = (index: number): number => {
    if (index === 0) return kinds.unknown
    if (index < specials.length) return kinds.control
    return index < specials.length + bytes.length ? kinds.byte : kinds.normal
  }
  return {
    tokens,
    firstPiece: specials.length + bytes.length,
    metadata: {
      'tokenizer.ggml.model': 'llama',
      'tokenizer.ggml.tokens': tokens,
      'tokenizer.ggml.scores': { floats: tokens.map((_, index) => (index < 3 ? 0 : -index)) },
      'tokenizer.ggml.token_type': { integers: tokens.map((_, index) => kindOf(index)) },
      'tokenizer.ggml.bos_token_id': 1,
      'tokenizer.ggml.eos_token_id': endToken,
      'tokenizer.ggml.unknown_token_id': 0,
    } satisfies Record<string, Value>,
  }
}

const architecture: Readonly<Record<string, Value>> = {
  'general.architecture': 'llama',
  'general.name': 'tiny',
  'llama.context_length': 2048,
  'llama.embedding_length': width,
  'llama.block_count': layers,
  'llama.feed_forward_length': hidden,
  'llama.attention.head_count': heads,
  'llama.attention.head_count_kv': heads,
  'llama.rope.dimension_count': width / heads,
  'llama.attention.layer_norm_rms_epsilon': { float: 1e-5 },
  'llama.vocab_size': vocabularySize,
}

type Fill = (name: string, index: number) => number

const matrix = (name: string, shape: readonly number[], fill: Fill): Matrix => {
  const size = shape.reduce((product, one) => product * one, 1)
  return { name, shape, values: Float32Array.from({ length: size }, (_, index) => fill(name, index)) }
}

const matricesWith = (fill: Fill): Matrix[] => {
  const one: Fill = () => 1
  const blocks = Array.from({ length: layers }, (_, layer) => {
    const at = (part: string): string => `blk.${layer}.${part}.weight`
    return [
      matrix(at('attn_norm'), [width], one),
      ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].map(part => matrix(at(part), [width, width], fill)),
      matrix(at('ffn_norm'), [width], one),
      matrix(at('ffn_gate'), [width, hidden], fill),
      matrix(at('ffn_up'), [width, hidden], fill),
      matrix(at('ffn_down'), [hidden, width], fill),
    ]
  })
  return [
    matrix('token_embd.weight', [width, vocabularySize], fill),
    ...blocks.flat(),
    matrix('output_norm.weight', [width], one),
    matrix('output.weight', [width, vocabularySize], fill),
  ]
}

/** A model of random weights: it babbles, and only a grammar makes its output readable. */
export const writeBabbler = (path: string, seed: string): void => {
  const random = randomFor(seed)
  const { metadata } = vocabulary([])
  writeFileSync(
    path,
    gguf(
      { ...architecture, ...metadata },
      matricesWith(() => (random() - 0.5) / 2),
    ),
  )
}

/**
 * A model that always says the same text, or repeats its last piece for ever. Its layers do nothing:
 * every input token leads to the first piece, and every piece to the next one.
 */
export const writeParrot = (path: string, pieces: readonly string[], forever = false): void => {
  if (pieces.length >= width) throw new Error(`A parrot can have fewer than ${width} pieces only.`)
  const { metadata, firstPiece, tokens } = vocabulary(pieces)
  if (new Set(tokens).size !== tokens.length) throw new Error('Two pieces are the same.')
  const dimensionOf = (token: number): number =>
    token >= firstPiece && token < firstPiece + pieces.length ? token - firstPiece + 1 : 0
  const leadsTo = (token: number): number[] => {
    if (token === endToken) return forever ? [] : [pieces.length]
    if (dimensionOf(token) === 0) return []
    return [
      dimensionOf(token) - 1,
      ...(forever && dimensionOf(token) === pieces.length ? [pieces.length] : []),
    ]
  }
  const fill: Fill = (name, index) => {
    const [token, dimension] = [Math.floor(index / width), index % width]
    if (name === 'token_embd.weight') return dimension === dimensionOf(token) ? 1 : 0
    if (name === 'output.weight') return leadsTo(token).includes(dimension) ? 10 : 0
    return 0
  }
  writeFileSync(path, gguf({ ...architecture, ...metadata }, matricesWith(fill)))
}
