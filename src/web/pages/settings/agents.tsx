/** Which command-line agents are installed and logged in, and whether they are the default table. */
import type { AgentsReply } from '../../../api/index.ts'
import { agreeToAgents } from '../../api.ts'
import { AgentOffer, isOffered } from '../../components/agent-offer.tsx'
import { Button } from '../../components/button.tsx'
import { Problem } from '../../components/notice.tsx'
import { useSaving } from './saving.ts'

const None = ({ refusal }: AgentsReply) => (
  <p className="text-soft">
    {refusal === undefined
      ? 'None was found. If you are logged in to Claude Code, Codex, opencode or Qwen Code on this machine, it can take a seat without an API key.'
      : refusal}
  </p>
)

export const Agents = ({ agents, changeable }: { agents: AgentsReply; changeable: boolean }) => {
  const { error, pending, run } = useSaving()
  const { installed, agreed } = agents
  return (
    <div className="space-y-3 text-sm">
      {installed.length === 0 && <None {...agents} />}
      <ul className="space-y-2">
        {installed.map(({ seat, label, ready, logIn, own }) => (
          <li key={seat}>
            <strong className="font-medium">{label}</strong>{' '}
            <code className="text-xs break-all text-soft">{seat}</code>{' '}
            {own ? (
              <span className="text-soft">from the configuration</span>
            ) : ready ? (
              <span className="text-good">✓ logged in</span>
            ) : (
              <span className="text-soft">
                not logged in: run <code>{logIn}</code>
              </span>
            )}
          </li>
        ))}
      </ul>
      {isOffered(agents) && <AgentOffer agents={agents} changeable={changeable} />}
      {agreed === true && installed.length > 0 && (
        <p className="text-soft">Without a key or a server, they are the default table.</p>
      )}
      {agreed === true && changeable && (
        <Button disabled={pending} onClick={() => run(() => agreeToAgents({ agreed: false }))}>
          Don’t ask them by default
        </Button>
      )}
      {error && <Problem error={error} />}
    </div>
  )
}
