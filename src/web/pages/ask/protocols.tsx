/** The choice of a protocol: the rule that decides who is asked what next. */
import type { ProtocolsReply } from '../../../api/index.ts'
import { ProtocolDrawing } from './protocol-drawing.tsx'

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
