/** The parts of a report that follow its answer, with their titles, in the order in which every face shows them. */
import type { Report } from '../log/event.ts'

export interface ReportPart {
  readonly id: 'summary' | 'reasons' | 'moved' | 'counterpoint' | 'open' | 'unverified' | 'settle'
  /** Null: the text speaks for itself. */
  readonly title: string | null
  readonly text: string
}

type Names = (seat: string) => string

/** A reason with the words of the seat that it rests on: "It is cheap (GLM 4.7: “half the price”)". */
const reasonText = (
  { reason, seat, quote }: NonNullable<Report['reasons']>[number],
  nameOf: Names,
): string => (seat && quote ? `${reason} (${nameOf(seat)}: “${quote}”)` : reason)

export const reasonsText = (reasons: Report['reasons'], nameOf: Names): string => {
  const texts = (reasons ?? []).map(reason => reasonText(reason, nameOf))
  return texts.length === 1 ? texts.join('') : texts.map(text => `- ${text}`).join('\n')
}

/** A report with reasons shows them instead of the summary, which says the same in one text. */
export const reportParts = (report: Report, nameOf: Names): ReportPart[] => {
  const { summary, reasons, moved, counterpoint, open, unverified, settle } = report
  const parts: readonly (Omit<ReportPart, 'text'> & { text: string | undefined })[] = [
    reasons
      ? { id: 'reasons', title: 'What carried it', text: reasonsText(reasons, nameOf) }
      : { id: 'summary', title: null, text: summary },
    { id: 'moved', title: 'Who moved whom', text: moved },
    { id: 'counterpoint', title: 'Counterpoint', text: counterpoint },
    { id: 'open', title: 'What stayed open', text: open },
    { id: 'unverified', title: 'What nobody could verify', text: unverified },
    { id: 'settle', title: 'What would settle it', text: settle },
  ]
  return parts.flatMap(({ id, title, text }) => (text ? [{ id, title, text }] : []))
}

/** Every text of a report, to search in. */
export const reportTexts = ({ reasons, ...texts }: Report): string[] => [
  ...Object.values(texts),
  ...(reasons ?? []).flatMap(({ reason, quote }) => [reason, ...(quote ? [quote] : [])]),
]
