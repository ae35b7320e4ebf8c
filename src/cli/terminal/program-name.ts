/** How the person called this program, for commands that are suggested: from a clone there is only `npm run`. */
const scripts = ['roundtable', 'ask', 'start', 'tour']

export const programName = (env: Readonly<Record<string, string | undefined>> = process.env): string =>
  env.npm_package_name === 'roundtable' && scripts.includes(env.npm_lifecycle_event ?? '')
    ? 'npm run roundtable --'
    : 'roundtable'
