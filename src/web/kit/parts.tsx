/** The command-line agents of this machine, and the button that makes them the default table. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import type { FoundReply } from '../../api/sessions.ts'
import type { AgentsReply, EstimateReply, HouseReply, ModelReply } from '../../api/table.ts'
import type { Session } from '../../core/session.ts'
import { campNumbers, flowLayout, groupsOf, numberOf } from '../../count/moves.ts'
import { type Level, levelTitle, lineBeside } from '../../count/tally.ts'
import { verdictOf } from '../../count/verdict.ts'
import { shortVerdictLine } from '../../count/verdict-line.ts'
import { campColour, campFill } from '../../words/camp-patterns.ts'
import { flowWords, levelColour, ribbonPath } from '../../words/drawing.ts'
import { estimateText } from '../../words/progress.ts'
import { agreeToAgents, downloadWeights, fetchHouse, useMay } from './api.ts'
import { useSaving } from './controls.tsx'
import { Button, Problem } from './frame.tsx'
import { useMutation } from './mutation.ts'

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

// estimateFigures: Calls, tokens, cost and time of a session or a round, side by side.

export const EstimateFigures = ({ estimate }: { estimate: EstimateReply }) => (
  <>
    <p aria-hidden="true" className="label">
      Estimate
    </p>
    <dl aria-label="Estimate" className="grid grid-cols-2 gap-x-5 gap-y-1 sm:flex">
      {Object.entries(estimateText(estimate)).map(([label, value]) => (
        <div key={label} className="flex flex-col">
          <dd className="text-sm font-semibold whitespace-nowrap tabular-nums sm:text-base">{value}</dd>
          <dt className="order-last text-xs text-soft">{label}</dt>
        </div>
      ))}
    </dl>
  </>
)

// houseOffer: The built-in model: what it is, the button that downloads it, and the progress.

const pauseBetweenRequests = 700

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`

/** The state of the built-in model, kept up to date during a download. */
export const useHouse = (): HouseReply | undefined => {
  const queries = useQueryClient()
  const { data } = useQuery({
    queryKey: ['house'],
    queryFn: fetchHouse,
    refetchInterval: query => (query.state.data?.state === 'fetching' ? pauseBetweenRequests : false),
  })
  const whole = data?.state === 'whole'
  useEffect(() => {
    if (whole) void queries.invalidateQueries({ queryKey: ['lineups'] })
  }, [whole, queries])
  return data
}

const Downloading = ({ house }: { house: HouseReply }) => {
  const fetched = house.fetched ?? 0
  return (
    <div>
      <progress
        className="h-2 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
        max={house.bytes}
        value={fetched}
        aria-label={`Downloading ${house.name}`}
      />
      <p className="mt-1 text-sm text-soft tabular-nums">
        {megabytes(fetched)} of {megabytes(house.bytes)}
      </p>
    </div>
  )
}

/** The person sees the model, its size and its licence before anything is downloaded. */
export const HouseOffer = ({ house }: { house: HouseReply }) => {
  const queries = useQueryClient()
  const [model, setModel] = useState(house.model)
  const mayDownload = useMay('change-settings')
  const wanted = house.choices.find(choice => choice.model === model) ?? house
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => downloadWeights(wanted.model),
    onSuccess: state => queries.setQueryData(['house'], state),
  })
  if (house.state === 'whole') {
    return (
      <p className="text-sm text-good">✓ {house.name} is downloaded. It needs no API key and no network.</p>
    )
  }
  return (
    <div className="w-full space-y-3">
      <p className="text-sm text-soft">
        The built-in model runs on this machine and needs no API key. It’s a demo: it shows how a table works,
        but don’t rely on its answers. {wanted.name}, {megabytes(wanted.bytes)}, licence {wanted.licence}; the
        engine that runs it has about 80 MB more (MIT).
      </p>
      {house.state === 'fetching' && <Downloading house={house} />}
      {house.state !== 'fetching' && !mayDownload && (
        <p className="text-sm">An admin of this server can download it.</p>
      )}
      {house.state !== 'fetching' && mayDownload && (
        <p className="flex flex-wrap gap-2">
          <Button disabled={isPending} onClick={() => mutate()}>
            {wanted.state === 'damaged' ? 'Download again' : 'Download'} ({megabytes(wanted.bytes)})
          </Button>
          {house.choices.length > 1 && (
            <select
              aria-label="Which built-in model"
              value={model}
              onChange={event => setModel(event.target.value)}
              className="min-h-9 min-w-40 flex-1 rounded-lg border border-line bg-surface px-2 text-sm"
            >
              {house.choices.map(choice => (
                <option key={choice.model} value={choice.model}>
                  {choice.name}
                </option>
              ))}
            </select>
          )}
        </p>
      )}
      {house.problem && <Problem error={new Error(house.problem)} />}
      {error && <Problem error={error} />}
    </div>
  )
}

// lateMarkdown: Markdown whose parser loads after the page: until then the same text is shown as it was written.

const Rich = lazy(async () => ({ default: (await import('./markdown.tsx')).Markdown }))

interface LateMarkdownProps {
  readonly text: string
  readonly language?: string | null
}

export const LateMarkdown = ({ text, language }: LateMarkdownProps) => (
  <Suspense
    fallback={
      <div className="said prose whitespace-pre-wrap" dir="auto">
        {text}
      </div>
    }
  >
    <Rich text={text} language={language} />
  </Suspense>
)

// level: How much a table agrees, in a shape and a colour of its own. Neither is a camp's.

export { levelColour }

/** A piece of a disc that begins at the top, as a share of the whole. */
const slice = (share: number): string => {
  const angle = share * 2 * Math.PI
  const [x, y] = [10 + 8 * Math.sin(angle), 10 - 8 * Math.cos(angle)]
  return `M10 10 L10 2 A8 8 0 ${share > 0.5 ? 1 : 0} 1 ${x.toFixed(2)} ${y.toFixed(2)}Z`
}

const disc = 'M10 2a8 8 0 1 1 0 16a8 8 0 1 1 0-16Z'

/** A whole, a whole with a hole, slices of it, two halves, three pieces, and an empty circle. */
const shapes: Record<Level, string> = {
  unanimous: disc,
  'unanimous-with-caveats': `${disc}M13 5.2a1.8 1.8 0 1 0 0 3.6a1.8 1.8 0 1 0 0-3.6Z`,
  supermajority: slice(5 / 6),
  majority: slice(0.6),
  plurality: slice(0.36),
  tie: 'M9 2.1a8 8 0 0 0 0 15.8ZM11 2.1a8 8 0 0 1 0 15.8Z',
  split:
    'M10 1.6a3.6 3.6 0 1 1 0 7.2a3.6 3.6 0 1 1 0-7.2ZM5 10.6a3.6 3.6 0 1 1 0 7.2a3.6 3.6 0 1 1 0-7.2ZM15 10.6a3.6 3.6 0 1 1 0 7.2a3.6 3.6 0 1 1 0-7.2Z',
  'no-quorum': '',
}

/** Their missing part is drawn, too. */
const slices: readonly Level[] = ['supermajority', 'majority', 'plurality']

export const LevelMark = ({ level, className = 'size-4' }: { level: Level; className?: string }) => (
  <svg viewBox="0 0 20 20" className={`inline-block shrink-0 ${className}`} aria-hidden="true">
    {shapes[level] === '' ? (
      <circle
        cx="10"
        cy="10"
        r="7"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeDasharray="3 2.5"
      />
    ) : (
      <>
        {slices.includes(level) && (
          <circle cx="10" cy="10" r="8" fill="none" stroke="currentColor" strokeWidth="1.5" />
        )}
        <path d={shapes[level]} fill="currentColor" fillRule="evenodd" />
      </>
    )}
  </svg>
)

/** "◕ Large majority", or other words for why there is no verdict; `alone` if the table has one seat. */
export const LevelBadge = ({
  level,
  alone,
  words,
}: {
  level: Level
  alone: boolean
  words?: string | undefined
}) => (
  <span
    className="inline-flex items-center gap-2 rounded-full px-3 py-1 text-sm font-semibold"
    style={{ background: levelColour(level), color: 'var(--on-level)' }}
  >
    <LevelMark level={level} />
    {words ?? levelTitle(level, alone)}
  </span>
)

// moderators: Who can moderate, to choose from.

/** Undefined: it is chosen when the question is asked. Null: nobody moderates. */
type Moderator = string | null | undefined

const nobody = 'none'

export const moderatorOptions = (models: readonly ModelReply[]) => [
  { value: '', label: 'Automatic' },
  { value: nobody, label: 'None: code writes the report' },
  ...models.filter(({ configured }) => configured).map(({ id, name }) => ({ value: id, label: name })),
]

export const moderatorValue = (moderator: Moderator): string =>
  moderator === null ? nobody : (moderator ?? '')

export const moderatorFrom = (value: string): Moderator => (value === nobody ? null : value || undefined)

// sessionGlimpse: A session in a small picture: its position flow, without words.

const size = { width: 200, height: 64, blockWidth: 12, gap: 4 }

export const SessionGlimpse = ({ session }: { session: Session }) => {
  const columns = useMemo(() => groupsOf(session, campNumbers(session)), [session])
  const { blocks, ribbons } = useMemo(() => flowLayout(columns, size), [columns])
  return (
    <svg
      viewBox={`0 0 ${size.width} ${size.height}`}
      className="h-16 w-full max-w-50"
      role="img"
      aria-label={flowWords(session, columns)}
    >
      {ribbons.map(ribbon => {
        const { seat, from, to, x0 } = ribbon
        const number = numberOf(to) ?? numberOf(from)
        const fill = number === undefined ? 'var(--edge)' : campColour(number)
        return (
          <path key={`${seat} ${x0}`} d={ribbonPath(ribbon)} fill={fill} opacity={from === to ? 0.24 : 0.7} />
        )
      })}
      {blocks.map(({ key, column, x, y, height }) => {
        const number = numberOf(key)
        return (
          <rect
            key={`${column} ${key}`}
            x={x}
            y={y}
            width={size.blockWidth}
            height={Math.max(1, height - 0.5)}
            rx="2.5"
            fill={number === undefined ? 'var(--edge)' : campFill(number)}
            opacity={number === undefined ? 0.4 : 1}
          />
        )
      })}
    </svg>
  )
}

// headline: What a card or a column leads with, and how many stand behind it.

/** A median or a common order is the answer of all, whatever most of them said. */
const isCombined = (session: Session): boolean => {
  const { final } = verdictOf(session)
  return final?.median !== undefined || final?.figure !== undefined || final?.ranking !== undefined
}

/** Alone, "A hot dog is not a sandwich." would read like the answer of a table that has none. */
export const answerAlone = (session: Session): string | undefined => {
  const answer = session.report?.answer
  if (answer === undefined || session.imported || verdictOf(session).level !== 'plurality') return answer
  return isCombined(session) || /\bmajority\b/i.test(answer)
    ? answer
    : `Leading, without a majority: ${answer}`
}

/** The positions of an open question are sentences: the line of a divided table would be all of them in one. */
export const lineOf = ({ level, line }: FoundReply, session: Session | undefined): string => {
  if (session?.question.format === 'open') return shortVerdictLine(session, verdictOf(session))
  const beside = lineBeside(level, line ?? '')
  return session && level === 'plurality'
    ? beside.replace(/^\d+(?= for )/, count => `${count} of ${verdictOf(session).of}`)
    : beside
}
