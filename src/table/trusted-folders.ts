/**
 * What the person answered for each folder whose files want keys or sessions. An answer holds for exactly the claims that
 * the person saw: a folder whose files change afterwards (`git pull`) is asked about again.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import type { Environment } from '../providers/endpoints.ts'
import type { FolderClaim } from './folder-claims.ts'

/** Where the answers are kept, and the folder that they are about. */
export interface TrustPlace {
  /** The shell's environment alone: a folder's `.env` must not say that the folder is trusted. */
  readonly env: Environment
  readonly cwd: string
  /** The person's configuration folder. */
  readonly own: string
}

const answersSchema = z.record(z.string(), z.object({ claims: z.string(), agreed: z.boolean() }))
type Answers = z.infer<typeof answersSchema>

const fileIn = (own: string): string => join(own, 'trusted-folders.json')

const realPath = (folder: string): string | undefined => {
  try {
    return realpathSync(resolve(folder))
  } catch {
    return undefined
  }
}

const hashOf = (claims: readonly FolderClaim[]): string =>
  createHash('sha256').update(JSON.stringify(claims)).digest('hex')

/** A file that can't be read holds no agreement. */
const answersIn = (own: string): Answers => {
  try {
    return answersSchema.parse(JSON.parse(readFileSync(fileIn(own), 'utf8')))
  } catch {
    return {}
  }
}

const write = (own: string, answers: Answers): void => {
  const file = fileIn(own)
  const draft = `${file}.${process.pid}`
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(draft, `${JSON.stringify(answers, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, file)
}

const isNamed = ({ env, cwd }: TrustPlace): boolean => {
  const folder = realPath(cwd)
  const named = (env.ROUNDTABLE_TRUST ?? '').split(delimiter).filter(path => path.trim() !== '')
  return folder !== undefined && named.some(path => realPath(path.trim()) === folder)
}

/** Undefined if the person hasn't been asked about these claims. */
export const answerFor = (place: TrustPlace, claims: readonly FolderClaim[]): boolean | undefined => {
  if (isNamed(place)) return true
  const folder = realPath(place.cwd) ?? ''
  const answers = answersIn(place.own)
  const answer = Object.hasOwn(answers, folder) ? answers[folder] : undefined
  return answer?.claims === hashOf(claims) ? answer.agreed : undefined
}

export const rememberAnswer = (place: TrustPlace, claims: readonly FolderClaim[], agreed: boolean): void =>
  write(place.own, {
    ...answersIn(place.own),
    [realPath(place.cwd) ?? place.cwd]: { claims: hashOf(claims), agreed },
  })

/** Returns whether there was an answer. */
export const forgetAnswer = (place: TrustPlace): boolean => {
  const { [realPath(place.cwd) ?? place.cwd]: answer, ...others } = answersIn(place.own)
  if (answer) write(place.own, others)
  return answer !== undefined
}
