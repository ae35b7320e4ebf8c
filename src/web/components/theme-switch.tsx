/** One button that goes through light, dark and the system's own choice. */
import { chooseTheme, type Theme, themes, useTheme } from '../theme.ts'

const drawings: Record<Theme, string> = {
  system: 'M10 3a7 7 0 1 1 0 14a7 7 0 1 1 0-14Z M10 3v14 M12 5v10 M14 6v8 M16 8v4',
  light: 'M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7Z M10 1v2.5 M10 16.5V19 M1 10h2.5 M16.5 10H19',
  dark: 'M16.5 12.5A7 7 0 0 1 7.5 3.5a7 7 0 1 0 9 9Z',
}

export const ThemeSwitch = () => {
  const theme = useTheme()
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
  return (
    <button
      type="button"
      onClick={() => chooseTheme(next)}
      aria-label={`Theme: ${theme}. Change to ${next}`}
      title={`Theme: ${theme}`}
      className="grid size-9 place-items-center rounded-lg text-soft hover:bg-shade hover:text-ink"
    >
      <svg viewBox="0 0 20 20" className="size-5" aria-hidden="true" stroke="currentColor" strokeWidth="1.6">
        <path d={drawings[theme]} fill="none" strokeLinecap="round" />
      </svg>
    </button>
  )
}
