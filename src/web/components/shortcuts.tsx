/** Single keys for what people do most. They can be switched off, since some people press keys by accident or by voice. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

const setting = 'shortcuts'
const areOn = (): boolean => localStorage.getItem(setting) !== 'off'

const keys = [
  { key: '/', does: 'Search sessions' },
  { key: 'n', does: 'Ask a new question' },
  { key: '?', does: 'Show this list' },
  { key: 'Ctrl + Enter', does: 'Ask the table, from the question' },
  { key: 'Esc', does: 'Close a dialog or a menu' },
] as const

/** Keys belong to whoever types, and to an open dialog. */
const isTaken = (event: KeyboardEvent): boolean =>
  event.defaultPrevented ||
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  (event.target instanceof Element &&
    event.target.closest('input, textarea, select, [contenteditable], [role=menu]') !== null) ||
  document.querySelector('dialog[open]') !== null

/** The page may still be loading. Whoever moves on meanwhile isn't pulled back. */
const focusWhenThere = (selector: string): void => {
  const over = new AbortController()
  const focus = (): void => {
    const element = document.querySelector<HTMLElement>(selector)
    if (!element || over.signal.aborted) return
    over.abort()
    element.focus()
  }
  const arrivals = new MutationObserver(focus)
  over.signal.addEventListener('abort', () => arrivals.disconnect())
  addEventListener('pointerdown', () => over.abort(), over)
  addEventListener('keydown', ({ key }) => key === 'Tab' && over.abort(), over)
  arrivals.observe(document.body, { childList: true, subtree: true })
  focus()
}

const Help = ({ onClose }: { onClose: () => void }) => {
  const [on, setOn] = useState(areOn)
  const toggle = (): void => {
    localStorage.setItem(setting, on ? 'off' : 'on')
    setOn(!on)
  }
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-5 gap-y-2">
        {keys.map(({ key, does }) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded border border-edge bg-shade px-1.5 py-0.5 text-sm">{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label className="mt-5 flex items-center gap-2 text-sm">
        <input type="checkbox" className="size-4 accent-accent" checked={on} onChange={toggle} />
        Turn on one-key shortcuts
      </label>
      <p className="mt-5 flex justify-end">
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      </p>
    </Dialog>
  )
}

export const Shortcuts = () => {
  const navigate = useNavigate()
  const [helping, setHelping] = useState(false)
  useEffect(() => {
    const press = async (event: KeyboardEvent): Promise<void> => {
      if (isTaken(event) || !areOn()) return
      if (event.key === '?') setHelping(true)
      if (event.key !== '/' && event.key !== 'n') return
      event.preventDefault()
      await navigate({ to: event.key === '/' ? '/sessions' : '/' })
      focusWhenThere(event.key === '/' ? '#search-sessions' : '#question')
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [navigate])
  return (
    <>
      <button
        type="button"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
        onClick={() => setHelping(true)}
        className="hidden size-9 place-items-center rounded-lg text-soft hover:bg-shade hover:text-ink sm:grid"
      >
        <span aria-hidden="true" className="font-semibold">
          ?
        </span>
      </button>
      {helping && <Help onClose={() => setHelping(false)} />}
    </>
  )
}
