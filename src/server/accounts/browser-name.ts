/** What people call a browser, from what it calls itself. */

/** The first mark that is found counts: most browsers also claim to be others. */
const programs = [
  ['Edg/', 'Edge'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** As it calls itself, if it is none that is known here. */
export const browserName = (agent: string): string => {
  const [program, system] = [programs, systems].map(
    marks => marks.find(([mark]) => agent.includes(mark))?.[1],
  )
  return program && system ? `${program} on ${system}` : agent
}
