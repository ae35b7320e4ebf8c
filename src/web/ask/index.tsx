/** The page to ask on: the question, the table around it, the protocol, and the estimate. */

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useLayoutEffect, useState } from 'react'
import type { AgentsReply, HouseReply, SettingsReply } from '../../api/table.ts'
import {
  askTable,
  fetchHouse,
  fetchLineups,
  fetchModels,
  fetchProtocols,
  fetchSettings,
  startTour,
  useMay,
} from '../kit/api.ts'
import { useTitle } from '../kit/controls.tsx'
import { useProtocols } from '../kit/fields.tsx'
import {
  Button,
  type ButtonKind,
  buttonClass,
  Failed,
  Notice,
  NoticeLink,
  Problem,
  Waiting,
} from '../kit/frame.tsx'
import { useMutation } from '../kit/mutation.ts'
import { AgentOffer, HouseOffer, isOffered, useHouse } from '../kit/offers.tsx'
import { Details } from './details.tsx'
import { type AskForm, bodyOf, type FormProps, obstacleOf, rememberTable, useDraft } from './form-data.ts'
import { Protocols } from './models.tsx'
import { AskBar, Examples, FormNotes } from './question.tsx'
import { Table } from './seats.tsx'

// tour: Starts the tour: a session with replies that were written in advance. It says so.

export const Tour = ({ kind = 'plain' }: { kind?: ButtonKind }) => {
  const navigate = useNavigate()
  const { mutate, error, isPending } = useMutation({
    mutationFn: startTour,
    onSuccess: ({ id }) => navigate({ to: '/s/$id', params: { id } }),
  })
  return (
    <>
      <Button kind={kind} disabled={isPending} onClick={() => mutate()}>
        Watch the tour
      </Button>
      {error && <Problem error={error} />}
    </>
  )
}

// waysIn: Shown if nothing is configured: the ways to start.

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

const Rules = (props: FormProps) => {
  const { form, change } = props
  const protocols = useProtocols()
  const models = useQuery({ queryKey: ['models'], queryFn: fetchModels, staleTime: 60_000 }).data?.models
  const protocol = protocols.find(({ id, usual }) => (form.protocol ? id === form.protocol : usual))
  return (
    <>
      <Protocols
        protocols={protocols}
        chosen={protocol?.id}
        onChange={id => change({ protocol: id, rounds: undefined })}
      />
      <Details {...props} protocol={protocol} models={models ?? []} />
    </>
  )
}

const useAsking = (form: AskForm, obstacle: string | undefined) => {
  const navigate = useNavigate()
  const [tried, setTried] = useState<string>()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => askTable(bodyOf(form)),
    onSuccess: ({ id }) => {
      rememberTable(form)
      return navigate({ to: '/s/$id', params: { id } })
    },
  })
  const ask = (): void => {
    setTried(obstacle)
    if (obstacle === undefined && !isPending) mutate()
  }
  // Ctrl-Enter asks from anywhere on the page, but not the old question while a dialog is open. A passive effect comes
  // after the paint: who types and presses at once would ask what stood there before.
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      if (document.querySelector('dialog[open]')) return
      event.preventDefault()
      ask()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  })
  const shown = obstacle !== undefined && tried === obstacle ? new Error(obstacle) : error
  return { ask, error: shown, isPending }
}

/** There are models to seat other than the built-in one. */
const isConfigured = ({ providers, localServers, agents }: SettingsReply): boolean =>
  localServers.length > 0 ||
  (agents.agreed === true && agents.installed.some(({ ready }) => ready)) ||
  providers.some(provider => provider.configured)

const AskPage = ({ settings }: { settings: SettingsReply }) => {
  const [form, change] = useDraft()
  const house = useHouse()
  const nothing = !isConfigured(settings) && (form.seats?.length ?? 0) === 0
  const obstacle = nothing ? 'Add a model first.' : obstacleOf(form)
  const { ask, error, isPending } = useAsking(form, obstacle)
  return (
    <>
      <div className="mx-auto max-w-5xl space-y-8 px-4 pt-6 pb-10 sm:px-6 sm:pt-10">
        <header className="text-center">
          <h1 className="said text-3xl font-semibold tracking-tight sm:text-4xl">Ask the table</h1>
          <p className="mx-auto mt-2 max-w-xl text-soft">
            Several models answer separately, read each other, argue, and may change their minds. You see who
            changed, and why.
          </p>
        </header>
        {nothing && <WaysIn house={house} agents={settings.agents} changeable={settings.changes.allowed} />}
        <Table form={form} change={change} focused={!nothing} />
        <FormNotes form={form} change={change} />
        {form.question === '' && <Examples onChoose={change} />}
        <Rules form={form} change={change} />
        {!nothing && (
          <p className="text-center text-sm text-soft">
            New here? <Tour kind="quiet" /> Half a minute, with replies that were written in advance.
          </p>
        )}
      </div>
      <AskBar
        {...{ form, change, obstacle, error }}
        onAsk={ask}
        pending={isPending}
        onWays={nothing ? showWaysIn : undefined}
      />
    </>
  )
}

/** What the page consists of. Pieces that come one by one would push down what is being read. */
const useParts = () => {
  const settings = useQuery({ queryKey: ['settings'], queryFn: fetchSettings })
  const lineups = useQuery({ queryKey: ['lineups'], queryFn: fetchLineups })
  const protocols = useQuery({ queryKey: ['protocols'], queryFn: fetchProtocols })
  const house = useQuery({ queryKey: ['house'], queryFn: fetchHouse })
  return { ...settings, wait: [settings, lineups, protocols, house].some(part => part.isPending) }
}

const Asking = () => {
  const { data, error, wait } = useParts()
  if (error && !data) return <Failed title="This page can’t be loaded" error={error} />
  return data && !wait ? <AskPage settings={data} /> : <Waiting />
}

export const Page = () => {
  useTitle('Ask')
  if (useMay('ask')) return <Asking />
  return (
    <Notice title="Your account is read-only">
      <p>You see the sessions that people share with the team. An admin can let you ask questions, too.</p>
      <NoticeLink to="/sessions">Show all sessions</NoticeLink>
    </Notice>
  )
}
