/** A model in the list: who made it, what it costs and holds, and what is missing to seat it. */
import type { ModelReply } from '../../../api/index.ts'

const dollars = (value: number): string => `$${Number(value.toPrecision(3))}`

/** `200k`, `1M` */
export const contextWords = (tokens: number): string =>
  tokens >= 1_000_000 ? `${Number((tokens / 1_000_000).toFixed(1))}M` : `${Math.round(tokens / 1_000)}k`

export const priceWords = ({ price }: Pick<ModelReply, 'price'>): string => {
  if (!price) return 'price unknown'
  return price.input + price.output === 0
    ? 'free'
    : `${dollars(price.input)} in, ${dollars(price.output)} out`
}

const Badge = ({ children }: { children: string }) => (
  <span className="rounded bg-shade px-1.5 py-0.5 text-xs text-soft">{children}</span>
)

export const ModelRow = ({ model }: { model: ModelReply }) => (
  <>
    <span className="flex items-center gap-2">
      <span className={`truncate font-medium ${model.configured ? '' : 'text-soft'}`}>{model.name}</span>
      {model.house && <Badge>house</Badge>}
      {model.local && !model.house && <Badge>local</Badge>}
      {model.openWeights && <Badge>open weights</Badge>}
    </span>
    <span className="flex gap-x-2 truncate text-sm text-soft">
      <span>{model.makerLabel}</span>
      {model.configured ? (
        <>
          <span>· {priceWords(model)}</span>
          {model.context !== null && <span>· {contextWords(model.context)} context</span>}
        </>
      ) : (
        <span className="truncate">
          · {model.missing.length > 0 ? `needs ${model.missing.join(' or ')}` : 'no provider here serves it'}
        </span>
      )}
    </span>
  </>
)
