/** Light, dark, or the same as the system. The choice is kept in this browser. */
import { useState } from 'react'
import { Choice } from '../../components/choice.tsx'
import { chooseTheme, storedTheme, type Theme } from '../../theme.ts'

const options: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

export const ThemeChoice = () => {
  const [theme, setTheme] = useState(storedTheme)
  const choose = (wanted: Theme): void => {
    chooseTheme(wanted)
    setTheme(wanted)
  }
  return (
    <div className="w-fit">
      <Choice label="Theme" value={theme} options={options} onChange={choose} />
    </div>
  )
}
