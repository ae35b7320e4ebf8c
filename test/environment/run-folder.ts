/** A folder that all files of one test run share, for what takes long to make. Each file has a home of its own. */

/** Begins with what a clean environment keeps. */
const variable = 'VITEST_RUN_FOLDER'

export const keepRunFolder = (folder: string): void => {
  process.env[variable] = folder
}

/** Undefined outside of a test run. */
export const runFolder = (): string | undefined => process.env[variable]
