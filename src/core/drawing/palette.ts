/** The colours of the pages' `theme.css`, light and dark, for what is read outside of the pages. */
export const palette = {
  paper: ['#faf8f3', '#171613'],
  surface: ['#fffefb', '#1f1d1a'],
  shade: ['#f2eee5', '#282520'],
  ink: ['#211e19', '#ece8df'],
  soft: ['#5e584e', '#b3ac9f'],
  line: ['#e2dbce', '#39352e'],
  edge: ['#8a8275', '#857d70'],
  accent: ['#8a4a1c', '#e8a878'],
  bad: ['#9d2f26', '#f0a096'],
  'level-unanimous': ['#0e3b2e', '#c9f2df'],
  'level-supermajority': ['#17315c', '#cfe0ff'],
  'level-majority': ['#3f2f73', '#ddd3ff'],
  'level-plurality': ['#5b2a55', '#f5cff0'],
  'level-tie': ['#6e1f3d', '#ffcfdc'],
  'level-split': ['#6f1a12', '#ffc9bf'],
  'level-no-quorum': ['#423e38', '#dad4c8'],
  'camp-0': ['#2b6a9b', '#6fb0e3'],
  'camp-1': ['#c1551a', '#f0975c'],
  'camp-2': ['#49783a', '#92c47f'],
  'camp-3': ['#76529f', '#bd9ce3'],
  'camp-4': ['#94700f', '#dcb653'],
  'camp-5': ['#b0406a', '#ea8fb1'],
  'camp-6': ['#257873', '#68c2bb'],
  'camp-7': ['#6d5f50', '#baa995'],
} as const satisfies Record<string, readonly [string, string]>

export type ColourName = keyof typeof palette

export const colourNames = Object.keys(palette) as readonly ColourName[]

/** `--camp-0: #2b6a9b; …`, for a stylesheet. */
export const paletteCss = (theme: 'light' | 'dark', names: readonly ColourName[]): string =>
  names.map(name => `--${name}: ${palette[name][theme === 'light' ? 0 : 1]}`).join('; ')
