/** Tells a person who looks elsewhere that the verdict is there, if they agreed to it. Nobody is asked unasked. */
import { useEffect, useRef, useState } from 'react'
import type { Session } from '../../../../core/log/state.ts'
import { verdictOf } from '../../../../core/verdict/verdict.ts'
import { Button } from '../../../components/button.tsx'

const canNotify = (): boolean => 'Notification' in window && Notification.permission !== 'denied'

/** Shown once, when a session that was watched is over and its page isn't looked at. */
const useNotice = (session: Session, wanted: boolean): void => {
  const wasRunning = useRef(session.outcome === undefined)
  useEffect(() => {
    if (!session.outcome || !wasRunning.current) return
    wasRunning.current = false
    if (!wanted || !document.hidden || Notification.permission !== 'granted') return
    const notice = new Notification('The verdict is there', {
      body: `${session.question.text.slice(0, 120)}\n${verdictOf(session).line}`,
      tag: session.id,
    })
    notice.onclick = () => {
      window.focus()
      notice.close()
    }
  }, [session, wanted])
}

export const Notify = ({ session }: { session: Session }) => {
  const [wanted, setWanted] = useState(false)
  useNotice(session, wanted)
  if (session.outcome || !canNotify()) return null
  return (
    <Button
      kind="quiet"
      aria-pressed={wanted}
      className="aria-pressed:text-accent"
      onClick={async () => setWanted(!wanted && (await Notification.requestPermission()) === 'granted')}
    >
      {wanted ? 'You will be told' : 'Tell me when it’s done'}
    </Button>
  )
}
