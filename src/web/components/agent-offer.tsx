/** The command-line agents of this machine, and the button that makes them the default table. */
import type { AgentsReply } from '../../api/index.ts'
import { agreeToAgents } from '../api.ts'
import { useSaving } from '../pages/settings/saving.ts'
import { Button } from './button.tsx'
import { Problem } from './notice.tsx'

const list = new Intl.ListFormat('en')

const readyNames = ({ installed }: AgentsReply): string =>
  list.format(installed.filter(({ ready }) => ready).map(({ label }) => label))

/** There is something to agree to. */
export const isOffered = (agents: AgentsReply): boolean =>
  agents.installed.some(({ ready }) => ready) && agents.agreed !== true

export const AgentOffer = ({ agents, changeable }: { agents: AgentsReply; changeable: boolean }) => {
  const { error, pending, run } = useSaving()
  return (
    <div className="flex w-full grow flex-col items-start gap-3">
      <p className="grow text-sm text-soft">
        You are logged in to {readyNames(agents)} on this machine. They answer without their tools, in an
        empty folder, and your subscription pays.
      </p>
      {changeable && (
        <Button kind="primary" disabled={pending} onClick={() => run(() => agreeToAgents({ agreed: true }))}>
          {pending ? 'One moment…' : 'Ask them by default'}
        </Button>
      )}
      {error && <Problem error={error} />}
    </div>
  )
}
