/**
 * Finds out whether two names mean the same model: "Qwen 3.5 397B", `qwen3.5-397b-a17b` and
 * `qwen/qwen3.5-397b-a17b` do.
 */
import { normalForm } from '../../core/question/normal-form.ts'
import { trimmed } from '../../core/question/trimmed.ts'

/** The names that gateways use for makers, and ours. */
const aliases: Readonly<Record<string, string>> = {
  'bytedance-seed': 'bytedance',
  'ibm-granite': 'ibm',
  'meta-llama': 'meta',
  mistralai: 'mistral',
  moonshot: 'moonshotai',
  qwen: 'alibaba',
  rekaai: 'reka',
  spacexai: 'xai',
  'x-ai': 'xai',
  'z-ai': 'zai',
  zhipuai: 'zai',
}

const labels: Readonly<Record<string, string>> = {
  alibaba: 'Alibaba',
  anthropic: 'Anthropic',
  cohere: 'Cohere',
  deepseek: 'DeepSeek',
  google: 'Google',
  house: 'Built-in',
  huggingface: 'Hugging Face',
  meta: 'Meta',
  minimax: 'MiniMax',
  mistral: 'Mistral',
  moonshotai: 'Moonshot AI',
  nvidia: 'NVIDIA',
  openai: 'OpenAI',
  xai: 'xAI',
  zai: 'Z.ai',
}

export const makerId = (word: string): string => {
  const lower = word.toLowerCase()
  return aliases[lower] ?? lower
}

export const makerLabel = (maker: string): string => labels[maker] ?? maker

/** Words that distinguish two packagings of one model, not two models. `a17b`: parameters active at once. */
const packaging = /^(latest|preview|instruct|it|20\d{6}|a\d+(\.\d+)?b)$/
const size = /^\d+(\.\d+)?(x\d+(\.\d+)?)?[bmt]$/
const version = /^[a-z]?(\d+(?:\.\d+)*)([ov]?)$/
const variant = /^(non|reasoning|thinking|beta|exp|free)$/

/** Lower-case words, with versions in one piece: `claude-sonnet-4-6` and "Claude Sonnet 4.6" give the same words. */
export const wordsOf = (text: string): string[] =>
  normalForm(text, 'NFKD')
    .toLowerCase()
    .replace(/^[^:/]+:\s+/, '')
    .replaceAll('+', ' plus ')
    .replace(/(?<=[a-z]{2})(?=\d)/g, ' ')
    .replace(/(?<=(?:^|[^\d.])[a-z]?\d{1,2})[-_ ](?=\d{1,2}(?![\d.a-z]))/g, '.')
    .split(/[^a-z0-9.]+/)
    .map(word => trimmed(word, '.'))
    .filter(word => word !== '')

/** The same for all spellings of a name: no case, no spaces, no punctuation, no packaging. */
export const nameKey = (text: string): string =>
  wordsOf(text)
    .filter(word => !packaging.test(word))
    .join('')
    .replaceAll('.', '')

/** `x-ai/grok-4.20` → `grok-4.20`. */
export const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The id of a model without the date of a snapshot: `gpt-5.5-2026-04-23` → `gpt-5.5`. */
export const undated = (id: string): string => id.replace(/[-@]20\d\d-?[01]\d-?[0-3]\d$/, '')

/** What is left of a word without version, size and variant; for `o3` that is the letter. */
const lineWord = (word: string, index: number): string => {
  if (packaging.test(word) || size.test(word) || variant.test(word)) return ''
  const match = version.exec(word)
  if (!match) return word
  return index === 0 ? word.replace(/[\d.]+.*/, '') : (match[2] ?? '')
}

/** The maker's product line: "Claude Sonnet 4.6" → `claude-sonnet`. */
export const familyOf = (name: string): string =>
  wordsOf(name)
    .map(lineWord)
    .filter(word => word !== '')
    .join('-')

/** The version as a decimal, because Grok 4.20 came before 4.3; 0 if the name has none. 2407 is a date. */
export const versionOf = (name: string): number => {
  for (const word of wordsOf(name)) {
    const match = version.exec(word)
    const number = Number.parseFloat(match?.[1] ?? '')
    if (number < 100) return number
  }
  return 0
}

/** Billions of parameters; 0 if the name doesn't say. */
export const sizeOf = (name: string): number => {
  const word = wordsOf(name).find(one => size.test(one))
  if (!word) return 0
  const [count, each] = word.split('x').map(Number.parseFloat)
  const unit = word.endsWith('t') ? 1000 : word.endsWith('m') ? 0.001 : 1
  return (count ?? 0) * (each ?? 1) * unit
}
