/** Whether a model takes pictures, by its name: for models that no catalogue and no list says it of. */
import type { Catalogue } from './index.ts'
import { lastSegment } from './naming.ts'

/**
 * Families that take pictures, as far as their names say so. A name that isn't here means that nobody knows, and such a
 * seat is told that it can't see. Configuration says otherwise with `sees`.
 */
const families: readonly RegExp[] = [
  // Names that say it: qwen3-vl-8b, command-a-vision, llama3.2-vision, glm-4.6v, minicpm-v, deepseek-vl2.
  /(?:^|[-_.:\d])(?:vl\d?|vision|v)(?:[-_.:]|$)/,
  /llava|moondream|pixtral|internvl|molmo|paligemma|smolvlm/,
  // Gemma 3 sees from 4B on.
  /^gemma-?3(?!n)(?![-:]?(?:1b|270m))/,
  /^gemma-?4|^llama-?4|^mistral-small-?3\.[12]/,
  /^claude-(?:3|sonnet|opus|haiku)|^gpt-(?:4o|4\.1|5)|^o[34](?!-mini)|^o4-mini|^gemini|^grok-4/,
]

export const seesByName = (model: string, catalogue: () => Catalogue): boolean => {
  const name = lastSegment(model).toLowerCase()
  const known = catalogue().find(name)?.model.abilities.pictures
  return known ?? families.some(family => family.test(name))
}
