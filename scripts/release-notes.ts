/** What a release changes in the changelog, and which version numbers it accepts. */

const number = /^(\d+)\.(\d+)\.(\d+)$/

const partsOf = (version: string): number[] => (number.exec(version) ?? []).slice(1).map(Number)

/** Says what is wrong with a new version, or nothing. */
export const versionProblem = (next: string, current: string): string | undefined => {
  if (!number.test(next)) return `"${next}" isn't a version such as 0.2.0.`
  const [now, then] = [partsOf(current), partsOf(next)]
  const differing = then.findIndex((part, place) => part !== now[place])
  if (differing >= 0 && then[differing]! > now[differing]!) return undefined
  return `${next} isn't higher than the current version, ${current}.`
}

const top = /^## Unreleased\n+([\s\S]*?)(?=^## |(?![\s\S]))/m

/** The changelog with its "Unreleased" section named and dated, and a new empty one above it. */
export const datedChangelog = (changelog: string, version: string, day: string): string => {
  const section = top.exec(changelog)
  if (!section) throw new Error('CHANGELOG.md has no section "## Unreleased".')
  if (!/^- /m.test(section[1]!))
    throw new Error('"Unreleased" in CHANGELOG.md is empty: there is nothing to release.')
  return changelog.replace(/^## Unreleased\n/m, `## Unreleased\n\n## ${version} – ${day}\n`)
}
