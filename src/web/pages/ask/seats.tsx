/** The seats around the question: half of them above the table, half below. */
import type { ReactNode } from 'react'
import { aliasFor } from '../../../core/log/alias.ts'
import type { NamedSeat } from './seat-names.ts'

interface ChairProps {
  readonly label: string
  readonly small?: string
  readonly initial: string
  readonly dashed?: boolean
  readonly marked?: boolean
  /** Above the table: the name is above the circle. */
  readonly above?: boolean
  onPress(): void
}

const Chair = ({ label, small, initial, dashed, marked, above, onPress }: ChairProps) => (
  <button
    type="button"
    onClick={onPress}
    title={small ? `${label}, ${small}` : label}
    className={`group flex w-20 items-center gap-1 rounded-xl sm:w-30 ${above ? 'flex-col-reverse' : 'flex-col'}`}
  >
    <span
      aria-hidden="true"
      className={`said relative grid size-11 place-items-center rounded-full border text-lg font-semibold transition-colors group-hover:border-accent sm:size-12 ${
        dashed ? 'border-dashed border-edge bg-paper text-soft' : 'border-line bg-surface text-accent'
      }`}
    >
      {initial}
      {marked && <span className="absolute -top-0.5 -right-0.5 size-3 rounded-full bg-accent" />}
    </span>
    <span className="line-clamp-2 text-center text-xs leading-tight font-medium break-words sm:text-[0.8125rem]">
      {label}
      {marked && <span className="sr-only">, with its own brief</span>}
    </span>
  </button>
)

interface SeatsProps {
  readonly seats: readonly NamedSeat[]
  readonly children: ReactNode
  onOpen(key: string): void
  onAdd(): void
}

/** Half of each circle overlaps the edge of the table. */
const row = 'relative z-10 flex flex-wrap justify-center gap-x-1 gap-y-2 sm:justify-evenly'

export const Seats = ({ seats, children, onOpen, onAdd }: SeatsProps) => {
  const half = Math.ceil((seats.length + 1) / 2)
  const chairs = seats.map(({ seat, name, maker }, index) => (
    <li key={seat.key} className="settling">
      <Chair
        above={index < half}
        label={name}
        small={maker}
        initial={aliasFor(index)}
        marked={Boolean(seat.brief)}
        onPress={() => onOpen(seat.key)}
      />
    </li>
  ))
  return (
    <section aria-label="The table" className={seats.length > 0 ? '' : 'pt-2'}>
      {seats.length > 0 && (
        <ul className={`${row} -mb-5 items-end sm:-mb-6`} aria-label="Seats above">
          {chairs.slice(0, half)}
        </ul>
      )}
      {children}
      <ul className={`${row} -mt-5 items-start sm:-mt-6`} aria-label="Seats below">
        {chairs.slice(half)}
        <li>
          <Chair label="Add a model" initial="+" dashed onPress={onAdd} />
        </li>
      </ul>
    </section>
  )
}
