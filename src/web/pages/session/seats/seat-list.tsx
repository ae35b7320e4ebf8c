/** Every seat's answer, grouped by camp; of a large table, only the part on the screen is drawn. */
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, useEffect, useMemo, useRef, useState } from 'react'
import { absenceOf, type Standing, standingsIn } from '../../../../core/camps/standings.ts'
import { shownRound } from '../../../../core/verdict/verdict.ts'
import { Button } from '../../../components/button.tsx'
import { CampMark } from '../../../components/camp.tsx'
import { once, useStage } from '../stage.ts'
import { SeatCard } from './seat-card.tsx'

/** Up to here the browser draws all of them easily, and its search finds words in all of them. */
const mostDrawn = 16

/** The key of the one group before there are camps. */
const everySeat = 'table'

interface SeatGroup {
  readonly key: string
  readonly number?: number
  readonly label: string
  readonly standings: readonly Standing[]
}

const absentLabels = {
  asked: 'Being asked',
  ungrouped: 'Answers, not grouped yet',
  silent: 'Silent',
  abstained: 'Abstained',
}

/** Seats without an answer come last, however many they are. */
const isAbsent = ({ key }: SeatGroup): boolean => key === 'silent' || key === 'abstained'

const groupsOf = (standings: readonly Standing[], imported: boolean, isText: boolean): SeatGroup[] => {
  const keyOf = (standing: Standing): string =>
    standing.number === undefined || imported ? (absenceOf(standing) ?? 'ungrouped') : String(standing.number)
  const groups = [...Map.groupBy(standings, keyOf)].map(([key, members]): SeatGroup => {
    const [first] = members
    if (first?.camp && !imported) {
      return { key, number: first.number, label: first.camp.label, standings: members }
    }
    const absence = (first && absenceOf(first)) ?? 'ungrouped'
    const answers = isText ? 'Texts' : imported ? 'Answers' : absentLabels[absence]
    const label =
      absence === 'ungrouped' || first?.handedIn?.status === 'given' ? answers : absentLabels[absence]
    return { key, label, standings: members }
  })
  return groups.toSorted(
    (one, other) =>
      Number(isAbsent(one)) - Number(isAbsent(other)) || other.standings.length - one.standings.length,
  )
}

/** While a round is being answered, seats keep their order: nothing may jump while somebody reads. */
const settled = (standings: readonly Standing[]): boolean => standings.every(standing => standing.handedIn)

/** How many stand in the group. Of all seats together, those that answered. */
const sizeWords = ({ key, standings }: SeatGroup, of: number): string => {
  if (key !== everySeat) return `${standings.length} of ${of}`
  return `${standings.filter(({ handedIn }) => handedIn?.status === 'given').length} of ${of} answered`
}

const GroupHead = ({ group, of }: { group: SeatGroup; of: number }) => (
  <h3 className="flex items-start gap-3 pt-2 pb-1">
    {group.number !== undefined && <CampMark index={group.number} className="mt-1 size-7" />}
    <span
      className={`said min-w-0 leading-snug font-semibold ${group.label.length > 90 ? 'text-base' : 'text-xl'}`}
      dir="auto"
    >
      {group.label}
    </span>
    <span className="shrink-0 pt-1 text-sm text-soft">{sizeWords(group, of)}</span>
  </h3>
)

const lastOfThree = ['', 'wide:*:last:col-span-3', 'wide:*:last:col-span-2']

/** The last row is filled: two thirds of the page beside one card would be empty. */
const columnsFor = (count: number): string => {
  if (count === 1) return ''
  if (count === 2) return 'lg:grid-cols-2'
  const odd = count % 2 === 1 ? 'lg:*:last:col-span-2' : ''
  return `lg:grid-cols-2 wide:grid-cols-3 ${odd} ${lastOfThree[count % 3] || 'wide:*:last:col-span-1'}`
}

const SmallList = ({ groups, of }: { groups: readonly SeatGroup[]; of: number }) => (
  <div className="flex flex-wrap gap-x-4 gap-y-8">
    {groups.map(group => (
      <section
        key={group.key}
        aria-label={group.label}
        className="min-w-0 basis-full lg:basis-[calc(var(--seats)*26rem)]"
        style={{ '--seats': group.standings.length, flexGrow: group.standings.length } as CSSProperties}
      >
        <GroupHead group={group} of={of} />
        <div className={`mt-3 grid items-start gap-4 ${columnsFor(group.standings.length)}`}>
          {group.standings.map(standing => (
            <SeatCard key={standing.seat.id} standing={standing} />
          ))}
        </div>
      </section>
    ))}
  </div>
)

/** Every event makes new rows, and must not scroll again. */
const isFirst = once()

const LargeList = ({ groups, of }: { groups: readonly SeatGroup[]; of: number }) => {
  const { revealed } = useStage()
  const list = useRef<HTMLDivElement>(null)
  const rows = useMemo(
    () =>
      groups.flatMap(group => [
        { group, standing: undefined },
        ...group.standings.map(standing => ({ group, standing })),
      ]),
    [groups],
  )
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => 220,
    overscan: 3,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: index => rows[index]?.standing?.seat.id ?? `group ${rows[index]?.group.key}`,
  })
  // A seat that is not drawn cannot be scrolled to by its card.
  useEffect(() => {
    if (!revealed || !isFirst(revealed)) return
    const index = rows.findIndex(row => row.standing !== undefined && row.standing.seat.id === revealed.seat)
    if (index >= 0) virtualizer.scrollToIndex(index, { align: 'center' })
  }, [revealed, rows, virtualizer])
  return (
    <div ref={list} className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(item => {
        const row = rows[item.index]
        return (
          row && (
            <div
              key={item.key}
              data-index={item.index}
              ref={virtualizer.measureElement}
              className="absolute top-0 left-0 w-full pb-4"
              style={{ transform: `translateY(${item.start - virtualizer.options.scrollMargin}px)` }}
            >
              {row.standing ? <SeatCard standing={row.standing} /> : <GroupHead group={row.group} of={of} />}
            </div>
          )
        )
      })}
    </div>
  )
}

export const SeatList = () => {
  const { session, numbers, calm } = useStage()
  const [byCamp, setByCamp] = useState(false)
  const groups = useMemo(() => {
    const standings = standingsIn(session, shownRound(session), numbers)
    if (!settled(standings) || (calm && !byCamp))
      return [{ key: everySeat, label: 'In the order of the seats', standings }]
    return groupsOf(standings, session.imported !== undefined, session.question.format === 'text')
  }, [session, numbers, calm, byCamp])
  const of = session.seats.length
  return (
    <>
      {calm && (
        <p className="min-h-10">
          {session.outcome && (
            <Button onClick={() => setByCamp(!byCamp)}>
              {byCamp ? 'In the order of the seats' : 'Group by camp'}
            </Button>
          )}
        </p>
      )}
      {of <= mostDrawn ? <SmallList groups={groups} of={of} /> : <LargeList groups={groups} of={of} />}
    </>
  )
}
