/** What the npm client needs to reach its registry and its cache. Only the test of the package uses it. */

const ofNpm =
  /^(HOME|USERPROFILE|APPDATA|LOCALAPPDATA|XDG_\w+|npm_config_\w+|\w+_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+)$/i

const aboutTheWay = /^(npm_config_(registry|cafile|\w*proxy)|\w+_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+)$/i

/** The way to the registry alone: nothing of the person's home. */
export const wayToRegistry = (env: NodeJS.ProcessEnv): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => aboutTheWay.test(name)))

/** Remembers it before the environment is cleaned. That happens once for each project, and the first one counts. */
export const keepEnvironmentOfNpm = (): void => {
  const found = Object.entries(process.env).filter(([name]) => ofNpm.test(name))
  process.env.VITEST_NPM ??= JSON.stringify(Object.fromEntries(found))
}

export const environmentOfNpm = (): Record<string, string> => JSON.parse(process.env.VITEST_NPM ?? '{}')
