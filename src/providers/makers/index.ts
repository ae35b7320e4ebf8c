/** Every maker there is. Catalogue, doctor, help and contract tests derive from this list. */
import type { Maker } from '../maker.ts'
import { alibaba } from './alibaba.ts'
import { anthropic } from './anthropic.ts'
import { cohere } from './cohere.ts'
import { deepseek } from './deepseek.ts'
import { google } from './google.ts'
import { groq } from './groq.ts'
import { mistral } from './mistral.ts'
import { moonshotai } from './moonshotai.ts'
import { ollama } from './ollama.ts'
import { openai } from './openai.ts'
import { openrouter } from './openrouter.ts'
import { vercel } from './vercel.ts'
import { xai } from './xai.ts'
import { zai } from './zai.ts'

export const makers: readonly Maker[] = [
  openai,
  anthropic,
  google,
  xai,
  mistral,
  cohere,
  deepseek,
  moonshotai,
  zai,
  alibaba,
  groq,
  openrouter,
  vercel,
  ollama,
]
