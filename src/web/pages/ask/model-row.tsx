/** A model in the list: its maker, price and context, and what it needs before it can be seated. */
import type { ModelReply } from '../../../api/index.ts'
import { perMillion } from '../../../core/wording/money.ts'
import { shortNumber } from '../../../core/wording/numbers.ts'
import { type KeyNames, needOf } from '../../components/needs.ts'

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
