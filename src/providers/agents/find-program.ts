/** Looks for a program in the folders of PATH, without running anything. */
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'

const isProgram = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

/**
 * The full path of a program; undefined if it isn't installed. Relative folders of PATH are skipped: the working folder
 * may be a stranger's.
 */
export const findProgram = async (command: string, path: string | undefined): Promise<string | undefined> => {
  if (isAbsolute(command)) return (await isProgram(command)) ? command : undefined
  if (command === '' || command.includes('/')) return undefined
  const folders = (path ?? '').split(delimiter).filter(isAbsolute)
  const found = await Promise.all(folders.map(folder => isProgram(join(folder, command))))
  const index = found.indexOf(true)
  return index < 0 ? undefined : join(folders[index]!, command)
}
