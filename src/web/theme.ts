/** Light, dark, or the same as the system: stored, and applied to the whole document. */
import { useSyncExternalStore } from 'react'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const isTheme = (value: string | null): value is Theme => themes.some(theme => theme === value)

const storedTheme = (): Theme => {
  const stored = localStorage.getItem('theme')
  return isTheme(stored) ? stored : 'system'
}

const listeners = new Set<() => void>()

export const chooseTheme = (theme: Theme): void => {
  localStorage.setItem('theme', theme)
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** It is chosen in two places, which must not contradict each other. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, storedTheme)
