/** Asks a program something short, such as its flags, with a limit of time and of output. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Printed, Program } from './agent.ts'
import { makeWorkplace, startProgram } from './program.ts'

/** The first start of some agents sets up their home. */
const usualPatience = 15_000
/** Whether it is logged in is asked while a person waits. */
const loginPatience = 6_000
const mostOutput = 300_000

const nothing: Printed = { good: false, text: '' }

export const shortCommand = async (
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  patience = usualPatience,
): Promise<Printed> => {
  const workplace = await makeWorkplace()
  const { child, complaint, end } = startProgram({ path, args, env, cwd: workplace.folder })
  const { promise, resolve } = Promise.withResolvers<Printed>()
  const timer = setTimeout(() => resolve(nothing), patience)
  let text = ''
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (piece: string) => {
    if (text.length < mostOutput) text += piece
  })
  child.once('error', () => resolve(nothing))
  // Some print their flags to the error output.
  child.once('close', code => resolve({ good: code === 0, text: `${text}\n${complaint()}` }))
  child.stdin.end()
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    end()
    await workplace.remove()
  }
}

export const programAt = (path: string, env: Readonly<Record<string, string>>): Program => ({
  env,
  ask: args => shortCommand(path, args, env, loginPatience),
  async hasFile(name) {
    const file = name.startsWith('/') ? name : join(env.HOME ?? '/', name)
    const found = await stat(file).catch(() => undefined)
    // Smaller files hold an empty object.
    return found?.isFile() === true && found.size > 4
  },
})
