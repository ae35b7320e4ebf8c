/** Finds models by words, maker and kind, and sorts them. */

import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type ReactNode,
  useDeferredValue,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { ModelReply, ProtocolsReply } from '../../api/table.ts'
import { perMillion, shortNumber } from '../../core/basics.ts'
import { inputClass, type KeyNames, needOf, useKeyNames } from '../kit/fields.tsx'
import { Button, Dialog } from '../kit/frame.tsx'

export const orders = {
  ready: 'Ready first',
  price: 'Cheapest first',
  context: 'Largest context first',
  name: 'By name',
} as const
export type Order = keyof typeof orders

export interface Search {
  readonly words: string
  /** Empty: all makers. */
  readonly maker: string
  /** Only models that can be seated now. */
  readonly ready: boolean
  readonly local: boolean
  readonly openWeights: boolean
  readonly order: Order
}

export const everything: Search = {
  words: '',
  maker: '',
  ready: false,
  local: false,
  openWeights: false,
  order: 'ready',
}

/** Where a search begins: models without a key are left out, unless there are no others. */
export const searchFor = (models: readonly ModelReply[]): Search => ({
  ...everything,
  ready: models.some(({ configured }) => configured),
})

const fits = (model: ModelReply, { words, maker, ready, local, openWeights }: Search): boolean => {
  const text = `${model.name} ${model.makerLabel} ${model.id}`.toLowerCase()
  return (
    (maker === '' || model.maker === maker) &&
    (!ready || model.configured) &&
    (!local || model.local) &&
    (!openWeights || model.openWeights) &&
    words
      .toLowerCase()
      .split(/\s+/)
      .every(word => text.includes(word))
  )
}

/** The price of one input and one output token. Unknown prices come last. */
const priceOf = ({ price }: ModelReply): number => (price ? price.input + price.output : Number.MAX_VALUE)

const compared: Record<Order, (one: ModelReply, other: ModelReply) => number> = {
  ready: (one, other) => Number(other.configured) - Number(one.configured),
  price: (one, other) => priceOf(one) - priceOf(other),
  context: (one, other) => (other.context ?? 0) - (one.context ?? 0),
  name: (one, other) => one.name.localeCompare(other.name),
}

export const searchModels = (models: readonly ModelReply[], search: Search): ModelReply[] =>
  models.filter(model => fits(model, search)).toSorted(compared[search.order])

/** The person's own server has models that are in no list: `lab/model-name` is seated as written. */
export const asWritten = (words: string, found: readonly ModelReply[]): string | undefined => {
  const name = words.trim()
  return /^[^\s/]+\/\S+$/.test(name) && !found.some(model => model.id === name) ? name : undefined
}

export const makersIn = (models: readonly ModelReply[]): { id: string; label: string }[] => {
  const labels = new Map(models.map(model => [model.maker, model.makerLabel]))
  return [...labels]
    .map(([id, label]) => ({ id, label }))
    .toSorted((one, other) => one.label.localeCompare(other.label))
}

// modelFilters: Filters and sorts the list of models.

interface PickerFiltersProps {
  readonly models: readonly ModelReply[]
  readonly search: Search
  onChange(change: Partial<Search>): void
}

const selectClass = 'min-w-0 rounded-lg border border-line bg-surface px-2 py-1.5 text-sm'

const switches = [
  ['ready', 'Ready to use'],
  ['local', 'Local'],
  ['openWeights', 'Open weights'],
] as const

export const PickerFilters = ({ models, search, onChange }: PickerFiltersProps) => {
  const makers = useMemo(() => makersIn(models), [models])
  return (
    <div className="my-3 flex flex-wrap items-center gap-2">
      {switches.map(([field, label]) => (
        <label
          key={field}
          className="cursor-pointer rounded-full border border-line px-3 py-1 text-sm text-soft has-checked:border-accent has-checked:bg-wash has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="checkbox"
            className="sr-only"
            checked={search[field]}
            onChange={event => onChange({ [field]: event.target.checked })}
          />
          {label}
        </label>
      ))}
      <select
        aria-label="Maker"
        value={search.maker}
        onChange={event => onChange({ maker: event.target.value })}
        className={`${selectClass} max-w-36`}
      >
        <option value="">All makers</option>
        {makers.map(maker => (
          <option key={maker.id} value={maker.id}>
            {maker.label}
          </option>
        ))}
      </select>
      <select
        aria-label="Order"
        value={search.order}
        onChange={event => onChange({ order: event.target.value as Order })}
        className={selectClass}
      >
        {Object.entries(orders).map(([id, label]) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
    </div>
  )
}

// modelRow: A model in the list: its maker, price and context, and what it needs before it can be seated.

const priceWords = ({ price, agent }: Pick<ModelReply, 'price' | 'agent'>): string => {
  if (agent) return 'subscription'
  if (!price) return 'price unknown'
  return price.input + price.output === 0
    ? 'free'
    : `${perMillion(price.input)} in, ${perMillion(price.output)} out`
}

const Badge = ({ children }: { children: string }) => (
  <span className="rounded bg-shade px-1.5 py-0.5 text-xs text-soft">{children}</span>
)

export const ModelRow = ({ model, keyNames }: { model: ModelReply; keyNames: KeyNames }) => (
  <>
    <span className="flex items-center gap-2">
      <span className={`truncate font-medium ${model.configured ? '' : 'text-soft'}`}>{model.name}</span>
      {model.house && <Badge>built-in</Badge>}
      {model.agent && <Badge>agent</Badge>}
      {model.local && !model.house && <Badge>local</Badge>}
      {model.openWeights && <Badge>open weights</Badge>}
    </span>
    <span className="flex gap-x-2 truncate text-sm text-soft">
      <span>{model.makerLabel}</span>
      {model.configured ? (
        <>
          <span>· {priceWords(model)}</span>
          {model.context !== null && <span>· {shortNumber(model.context)} context</span>}
        </>
      ) : (
        <span className="truncate">· {needOf(model, keyNames)}</span>
      )}
    </span>
  </>
)

// modelPicker: Searches all models and seats them, by keyboard or mouse.

interface ModelPickerProps {
  readonly models: readonly ModelReply[]
  /** How many seats each model has. */
  readonly seated: ReadonlyMap<string, number>
  onSeat(model: string): void
  onClose(): void
}

const rowHeight = 58

/** A model of the list, or a name as it was typed. */
type Row = ModelReply | string

const idOf = (row: Row): string => (typeof row === 'string' ? row : row.id)
const canSit = (row: Row): boolean => typeof row === 'string' || row.configured

export const ModelPicker = ({ models, seated, onSeat, onClose }: ModelPickerProps) => {
  const [changed, setChanged] = useState<Partial<Search>>({})
  // The models may come after the first letters were typed.
  const search = useMemo(() => ({ ...searchFor(models), ...changed }), [changed, models])
  const change = (part: Partial<Search>): void => setChanged({ ...changed, ...part })
  const keyNames = useKeyNames()
  const [active, setActive] = useState(0)
  const [last, setLast] = useState('')
  const wanted = useDeferredValue(search)
  const rows = useMemo((): readonly Row[] => {
    const found = searchModels(models, wanted)
    const written = asWritten(wanted.words, found)
    return written === undefined ? found : [written, ...found]
  }, [models, wanted])
  const hidden = useMemo(
    () =>
      wanted.ready ? searchModels(models, { ...wanted, ready: false }).filter(one => !one.configured) : [],
    [models, wanted],
  )
  const list = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
  })
  // A paint later, Enter would seat the model that stands where another one stood.
  useLayoutEffect(() => {
    if (rows.length > 0) setActive(0)
    scroller.current?.scrollTo({ top: 0 })
  }, [rows])
  const seat = (row: Row | undefined): void => {
    if (!row || !canSit(row)) return
    onSeat(idOf(row))
    setLast(`${typeof row === 'string' ? row : row.name} is seated.`)
  }
  const go = (to: number): void => {
    const next = Math.min(rows.length - 1, Math.max(0, to))
    setActive(next)
    virtual.scrollToIndex(next)
  }
  const pressed = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 6, PageUp: -6 }
    const step = steps[event.key]
    if (step === undefined && event.key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
    if (step === undefined) seat(rows[active])
    else go(active + step)
  }
  return (
    <Dialog title="Seat a model" onClose={onClose}>
      <input
        role="combobox"
        aria-label="Search models"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={rows.length > 0 ? `${list}-${active}` : undefined}
        autoComplete="off"
        placeholder="Name, maker or id"
        value={search.words}
        onChange={event => change({ words: event.target.value })}
        onKeyDown={pressed}
        className={inputClass}
      />
      <PickerFilters models={models} search={search} onChange={change} />
      <div
        ref={scroller}
        id={list}
        role="listbox"
        aria-label="Models"
        tabIndex={-1}
        className="-mx-2 h-[min(22rem,45dvh)] overflow-y-auto"
      >
        <div className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]
            if (!row) return null
            const times = seated.get(idOf(row)) ?? 0
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the search field moves through the list and seats
              <div
                key={idOf(row)}
                id={`${list}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                aria-disabled={!canSit(row)}
                onClick={() => seat(row)}
                onPointerMove={() => setActive(index)}
                className="absolute inset-x-0 flex items-center gap-3 rounded-lg px-3 aria-selected:bg-shade aria-[disabled=false]:cursor-pointer"
                style={{ height: rowHeight, top: start }}
              >
                <span className="flex min-w-0 grow flex-col">
                  {typeof row === 'string' ? (
                    <span className="truncate font-medium">Seat “{row}” as written</span>
                  ) : (
                    <ModelRow model={row} keyNames={keyNames} />
                  )}
                </span>
                {times > 0 && (
                  <span className="shrink-0 text-sm font-medium whitespace-nowrap text-accent">
                    {times === 1 ? 'seated' : `seated ${times} times`}
                  </span>
                )}
              </div>
            )
          })}
        </div>
      </div>
      {rows.length === 0 && (
        <p className="-mt-[min(22rem,45dvh)] h-[min(22rem,45dvh)] px-3 py-8 text-center text-soft">
          {hidden.length > 0 ? 'No model that you can use now matches.' : 'No model matches.'}
        </p>
      )}
      <p className="mt-4 flex flex-wrap items-center justify-end gap-x-3 gap-y-2">
        <output className="min-w-0 grow truncate text-sm text-soft">{last || `${rows.length} models`}</output>
        {hidden.length > 0 && (
          <Button kind="quiet" onClick={() => change({ ready: false })}>
            Show {hidden.length} that need a key
          </Button>
        )}
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </p>
    </Dialog>
  )
}

// protocolDrawing: A small drawing for each protocol: who reads whom. Only decoration: the text beside it says the same.

const Dot = ({ x, y, open = false }: { x: number; y: number; open?: boolean }) => (
  <circle cx={x} cy={y} r="3.4" fill={open ? 'var(--surface)' : 'currentColor'} stroke="currentColor" />
)

const column = (x: number, open = false): ReactNode =>
  [10, 24, 38].map(y => <Dot key={y} x={x} y={y} open={open} />)

const lines = (paths: string): ReactNode => (
  <path d={paths} fill="none" stroke="currentColor" strokeWidth="1.3" opacity=".6" />
)

const ring = [0, 1, 2, 3, 4].map(seat => {
  const angle = (seat / 5) * 2 * Math.PI - Math.PI / 2
  return { x: 48 + 18 * Math.cos(angle), y: 25 + 18 * Math.sin(angle) }
})

const chords = ring
  .flatMap((one, index) => ring.slice(index + 1).map(other => `M${one.x} ${one.y}L${other.x} ${other.y}`))
  .join('')

const drawings: Readonly<Record<string, ReactNode>> = {
  poll: (
    <>
      {column(14, true)}
      {lines('M22 10H60M22 24H60M22 38H60')}
      <rect x="64" y="6" width="9" height="36" rx="3" fill="currentColor" />
    </>
  ),
  roundtable: (
    <>
      {lines(chords)}
      {ring.map(({ x, y }) => (
        <Dot key={x} x={x} y={y} />
      ))}
    </>
  ),
  hybrid: (
    <>
      {column(8, true)}
      {lines('M14 10L36 22M14 24H36M14 38L36 26M58 22L82 10M58 24H82M58 26L82 38')}
      <rect x="37" y="12" width="20" height="24" rx="3" fill="var(--surface)" stroke="currentColor" />
      {lines('M41 19H53M41 24H53M41 29H49')}
      {column(88)}
    </>
  ),
  delphi: (
    <>
      {lines('M8 8C40 8 50 22 88 22M8 40C40 40 50 26 88 26M8 24H88')}
      <Dot x={8} y={8} open />
      <Dot x={8} y={24} open />
      <Dot x={8} y={40} open />
      <Dot x={88} y={24} />
    </>
  ),
  'cross-examination': (
    <>
      {lines('M22 19H74M68 14L74 19L68 24M74 31H22M28 26L22 31L28 36')}
      <Dot x={12} y={25} />
      <Dot x={84} y={25} open />
    </>
  ),
  market: (
    <>
      {lines('M8 42H90M8 6V42')}
      <path d="M10 34L28 28L42 32L60 16L86 11" fill="none" stroke="currentColor" strokeWidth="2" />
      <Dot x={86} y={11} />
    </>
  ),
}

export const ProtocolDrawing = ({ id }: { id: string }) => (
  <svg viewBox="0 0 96 50" className="h-12 w-24 shrink-0 text-accent" aria-hidden="true">
    {drawings[id] ?? drawings.roundtable}
  </svg>
)

// protocols: The choice of a protocol: the rule that decides who is asked what next.

interface ProtocolsProps {
  readonly protocols: ProtocolsReply['protocols']
  readonly chosen: string | undefined
  onChange(id: string): void
}

export const Protocols = ({ protocols, chosen, onChange }: ProtocolsProps) => (
  <fieldset>
    <legend className="label mb-2">How the models discuss</legend>
    <div className="grid gap-3 sm:grid-cols-3">
      {protocols.map(({ id, label, summary }) => (
        <label
          key={id}
          className="card flex cursor-pointer items-center gap-4 p-4 hover:border-edge has-checked:border-accent has-checked:bg-wash has-focus-visible:outline-2 has-focus-visible:outline-accent sm:flex-col sm:items-start sm:gap-3"
        >
          <input
            type="radio"
            name="protocol"
            className="sr-only"
            checked={id === chosen}
            onChange={() => onChange(id)}
          />
          <ProtocolDrawing id={id} />
          <span>
            <span className="block font-semibold">{label}</span>
            <span className="mt-0.5 block text-sm text-soft">{summary}</span>
          </span>
        </label>
      ))}
    </div>
  </fieldset>
)
