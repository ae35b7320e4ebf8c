/** Light, dark, or the same as the system: stored, and applied to the whole document. */
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const isTheme = (value: string | null): value is Theme => themes.some(theme => theme === value)

export const storedTheme = (): Theme => {
  const stored = localStorage.getItem('theme')
  return isTheme(stored) ? stored : 'system'
}

export const chooseTheme = (theme: Theme): void => {
  localStorage.setItem('theme', theme)
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
