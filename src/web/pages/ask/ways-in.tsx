/** Shown if nothing is configured: the ways to start. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AgentsReply, HouseReply } from '../../../api/index.ts'
import { AgentOffer, isOffered } from '../../components/agent-offer.tsx'
import { buttonClass } from '../../components/button.tsx'
import { HouseOffer } from '../../components/house-offer.tsx'
import { Tour } from './tour.tsx'

const Way = ({ title, children }: { title: string; children: ReactNode }) => (
  <li className="card flex flex-col items-start gap-3 p-5">
    <h3 className="font-semibold">{title}</h3>
    {children}
  </li>
)

interface WaysInProps {
  readonly house: HouseReply | undefined
  readonly agents: AgentsReply
  readonly changeable: boolean
}

/** The focus goes along, so that the next Tab is the first of the ways. */
export const showWaysIn = (): void => {
  const title = document.getElementById('ways-in')
  title?.focus({ preventScroll: true })
  title?.scrollIntoView({ block: 'start' })
}

export const WaysIn = ({ house, agents, changeable }: WaysInProps) => (
  <section aria-labelledby="ways-in" className="space-y-4">
    <div className="text-center">
      <h2 id="ways-in" tabIndex={-1} className="said scroll-mt-6 text-2xl font-semibold">
        First, choose who answers
      </h2>
      <p className="mt-1 text-soft">No model is set up yet. These are the ways to start:</p>
    </div>
    <ol className={`grid gap-4 ${isOffered(agents) ? 'md:grid-cols-2' : 'md:grid-cols-3'}`}>
      <Way title="Look around first">
        <p className="grow text-sm text-soft">
          Half a minute, nothing to set up. Its replies were written in advance, not by models.
        </p>
        <Tour kind="primary" />
      </Way>
      {isOffered(agents) && (
        <Way title="Use your subscriptions">
          <AgentOffer agents={agents} changeable={changeable} />
        </Way>
      )}
      {house && (
        <Way title="Try a small free model">
          <HouseOffer house={house} />
        </Way>
      )}
      <Way title="Use your own models">
        <p className="grow text-sm text-soft">
          Enter an API key: one from OpenRouter reaches every maker. Or add a server of your own, such as
          Ollama, LM Studio, llama.cpp or vLLM.
        </p>
        <Link to="/settings" className={buttonClass()}>
          Add a key or a server
        </Link>
      </Way>
    </ol>
  </section>
)
