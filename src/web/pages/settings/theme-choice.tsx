/** Light, dark, or the same as the system. The choice is kept in this browser. */
import { Choice } from '../../components/choice.tsx'
import { chooseTheme, type Theme, useTheme } from '../../theme.ts'

const options: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

export const ThemeChoice = () => (
  <div className="w-fit">
    <Choice label="Theme" value={useTheme()} options={options} onChange={chooseTheme} />
  </div>
)
