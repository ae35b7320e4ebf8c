/** The environment that tests and the processes they start run in: nothing of the person who runs them. */

type Environment = Record<string, string | undefined>

/**
 * What programs need to start at all, and what vitest sets for itself. Everything else goes: keys, `ROUNDTABLE_*`,
 * `DATABASE_URL`, `PG*`, `XDG_*`, proxies. A list of what to remove would miss the next maker's key.
 */
const needed =
  /^(PATH|PATHEXT|SYSTEMROOT|WINDIR|COMSPEC|TMPDIR|TEMP|TMP|VITEST\w*|NODE_ENV|TEST|DEV|PROD|MODE|SSR|BASE_URL)$/i

/** A closed port: whoever asks there is refused at once. */
const nobody = 'http://127.0.0.1:9/'

export const cleanEnvironment = (home: string, from: Environment = process.env): Record<string, string> => {
  const kept = Object.entries(from).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && needed.test(entry[0]),
  )
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    USERPROFILE: home,
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    ROUNDTABLE_LOCAL: 'no',
    ROUNDTABLE_AGENTS: 'no',
    ROUNDTABLE_HUB: 'no',
    npm_config_registry: nobody,
  }
}

/** Changes this process' own environment, which the processes it starts inherit. */
export const enterCleanEnvironment = (home: string): void => {
  const clean = cleanEnvironment(home)
  for (const name of Object.keys(process.env)) if (!(name in clean)) delete process.env[name]
  Object.assign(process.env, clean)
}
