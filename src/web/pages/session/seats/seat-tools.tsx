/** What a reader takes along from a seat: its whole answer, its headline as a quotation, or a link to it. */
import type { Seat } from '../../../../core/log/event.ts'
import type { Answer } from '../../../../core/question/answer.ts'
import { CopyButton } from '../../../components/copy-button.tsx'

/** The part of the address that leads to a seat. */
export const seatAnchor = ({ alias }: Pick<Seat, 'alias'>): string => `seat-${alias}`

const linkTo = (seat: Seat): string => `${location.origin}${location.pathname}#${seatAnchor(seat)}`

const cardText = (name: string, { headline, reasoning, text }: Answer): string =>
  [`${name}: ${headline}`, text, reasoning].filter(part => part?.trim()).join('\n\n')

interface SeatToolsProps {
  readonly seat: Seat
  readonly name: string
  readonly answer: Answer
}

export const SeatTools = ({ seat, name, answer }: SeatToolsProps) => {
  const small = 'min-h-7! px-1.5! py-0.5! text-soft'
  return (
    <p className="mt-3 -ml-1.5 flex flex-wrap gap-1 print:hidden">
      <CopyButton
        label="Copy"
        described={`Copy the answer of ${name}`}
        className={small}
        text={() => cardText(name, answer)}
      />
      <CopyButton
        label="Quote"
        described={`Copy a quote of ${name}`}
        className={small}
        text={() => `“${answer.headline}” (${name})`}
      />
      <CopyButton
        label="Link"
        described={`Copy a link to ${name}`}
        className={small}
        text={() => linkTo(seat)}
      />
    </p>
  )
}
