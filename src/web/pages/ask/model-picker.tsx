/** Searches all models and seats them, by keyboard or mouse. */
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  useDeferredValue,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { ModelReply } from '../../../api/index.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { inputClass } from '../../components/field.tsx'
import { useKeyNames } from '../../components/needs.ts'
import { PickerFilters } from './model-filters.tsx'
import { ModelRow } from './model-row.tsx'
import { asWritten, type Search, searchFor, searchModels } from './model-search.ts'

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
