/** Models in rows. On a phone every model is a block of its figures, since a table of so many columns would scroll sideways. */
import { type ReactNode, useState } from 'react'
import { counted } from '../../../core/wording/numbers.ts'
import { AppLink } from '../../components/app-link.tsx'
import { Button } from '../../components/button.tsx'
import { ScrollRegion } from '../../components/scroll-region.tsx'
import { none } from './record.ts'

export interface ModelColumn<Row> {
  readonly label: string
  /** What the figure means. */
  readonly explained?: string
  /** Words are on the left, and a phone gives them a whole line. */
  readonly words?: boolean
  readonly value: (row: Row) => ReactNode
}

interface RowsProps<Row> {
  readonly label: string
  readonly columns: readonly ModelColumn<Row>[]
  readonly rows: readonly Row[]
  /** The model's own id. */
  readonly idOf: (row: Row) => string
  readonly head: (row: Row) => ReactNode
  /** A phone would have to be scrolled for screens to what comes below. */
  readonly fewOnPhone?: boolean
}

const mostOnPhone = 3

interface FigureProps {
  readonly label: string
  readonly words: boolean | undefined
  readonly children: ReactNode
}

/** On a phone, a line that says nothing is left out. */
const Figure = ({ label, words, children }: FigureProps) => (
  <td
    className={`py-2 ${children === none ? 'max-sm:hidden' : 'max-sm:flex'} max-sm:justify-between max-sm:gap-2 max-sm:py-0 sm:pl-5 ${words ? 'text-left max-sm:col-span-full' : 'sm:whitespace-nowrap'}`}
  >
    <span className={`text-left text-soft sm:hidden ${words ? 'sr-only' : ''}`}>{label} </span>
    {children}
  </td>
)

const Rows = <Row,>({ label, columns, rows, idOf, head, fewOnPhone = false }: RowsProps<Row>) => (
  <ScrollRegion label={label}>
    <table className="w-full text-sm max-sm:block">
      <thead className="max-sm:hidden">
        <tr className="text-right text-soft">
          <th scope="col" className="sticky left-0 bg-surface pb-2 text-left font-medium">
            Model
          </th>
          {columns.map(column => (
            <th
              key={column.label}
              scope="col"
              title={column.explained}
              className={`pb-2 pl-5 font-medium whitespace-nowrap ${column.words ? 'text-left' : ''}`}
            >
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {rows.map((row, index) => (
          <tr
            key={idOf(row)}
            className={`border-t border-line text-right tabular-nums ${fewOnPhone && index >= mostOnPhone ? 'max-sm:hidden' : 'max-sm:grid'} max-sm:gap-x-6 min-[27rem]:max-sm:grid-cols-2 max-sm:gap-y-1 max-sm:py-3 max-sm:first:border-0`}
          >
            <th
              scope="row"
              className="left-0 bg-surface py-2 text-left font-medium max-sm:col-span-full max-sm:py-0 sm:sticky sm:max-w-44 sm:min-w-36"
            >
              {head(row)}
            </th>
            {columns.map(({ label, words, value }) => (
              <Figure key={label} label={label} words={words}>
                {value(row)}
              </Figure>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </ScrollRegion>
)

/** The others are one click, or one word, away. */
const first = 12
const most = 200

/** The first of them, and the others on request. */
export const ModelTable = <Row,>({ rows, fewOnPhone = false, ...table }: RowsProps<Row>) => {
  const [whole, setWhole] = useState(false)
  const shown = rows.slice(0, whole ? most : first)
  const hidden = rows.length > shown.length
  const hiddenOnPhone = fewOnPhone && !whole && rows.length > mostOnPhone
  return (
    <>
      <Rows {...table} rows={shown} fewOnPhone={hiddenOnPhone} />
      {(hidden || hiddenOnPhone) && (
        <p className={`mt-3 text-center text-sm text-soft ${hidden ? '' : 'sm:hidden'}`}>
          {whole ? (
            `${counted(rows.length - shown.length, 'more model')}: search to find them.`
          ) : (
            <Button kind="quiet" onClick={() => setWhole(true)}>
              Show {rows.length > most ? 'more' : `all ${rows.length}`}
            </Button>
          )}
        </p>
      )}
    </>
  )
}

/** The name of a model, which leads to its record if it has one. */
export const ModelName = ({ id, name, record }: { id: string; name: string; record: boolean }) => (
  <span className="line-clamp-2 break-words">
    {record ? (
      <AppLink
        href={`/model?id=${encodeURIComponent(id)}`}
        className="underline decoration-line underline-offset-2 hover:decoration-current"
      >
        {name}
      </AppLink>
    ) : (
      name
    )}
  </span>
)
