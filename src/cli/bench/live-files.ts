/** The questions of `bench live`, and the folder that keeps its sessions. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, extname, resolve } from 'node:path'
import { type GoldQuestion, questionsFrom } from '../../bench/live/questions.ts'
import { located, UsageError } from '../../core/errors.ts'
import type { LiveBench } from '../../trials/live.ts'
import { whyUnread } from '../terminal/file-words.ts'

/** Question sets that are part of the package, by name. */
const shipped: Readonly<Record<string, URL>> = {
  tricks: new URL('../../bench/live/tricks.jsonl', import.meta.url),
}

const placeOf = (name: string, cwd: string): string | URL => {
  const path = resolve(cwd, name)
  const known = Object.hasOwn(shipped, name) ? shipped[name] : undefined
  return known && !existsSync(path) ? known : path
}

export const questionsIn = (name: string, cwd: string): GoldQuestion[] => {
  let text: string
  try {
    text = readFileSync(placeOf(name, cwd), 'utf8')
  } catch (error) {
    const names = Object.keys(shipped).join(', ')
    throw new UsageError(`${name} can't be read: ${whyUnread(error)}. Included question sets: ${names}.`)
  }
  try {
    return questionsFrom(text)
  } catch (error) {
    throw located(name, error)
  }
}

/** The same table and seed find their sessions again; a different table gets its own folder and budget. */
export const runFolder = (name: string, { table, seed }: LiveBench): string => {
  const digest = createHash('sha256')
    .update(JSON.stringify([table, seed]))
    .digest('hex')
    .slice(0, 8)
  return `bench-${basename(name, extname(name))}-${digest}`
}
