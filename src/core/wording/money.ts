/** What calls cost, as people read it. */

/** $0.0012, $0.012, $0.25, $12.50: digits that say something, and never 0 for something. */
export const dollars = (usd: number): string => {
  if (usd === 0) return '$0'
  if (usd < 0.0001) return '<$0.0001'
  if (usd < 0.01) return `$${usd.toFixed(4)}`
  return `$${usd.toFixed(usd < 0.1 ? 3 : 2)}`
}

/** A price that nobody knows is not zero. */
export const costText = (usd: number | null): string => (usd === null ? 'unknown' : dollars(usd))

/** What calls cost that a subscription pays, in part or in whole: "subscription", "$0.02 and subscription". */
export const spentCost = (
  { costUsd, subscription }: { readonly costUsd: number | null; readonly subscription?: true | undefined },
  unknown = 'unknown',
): string => {
  if (costUsd === null) return unknown
  if (!subscription) return dollars(costUsd)
  return costUsd === 0 ? 'subscription' : `${dollars(costUsd)} and subscription`
}

/** "$0.80", "$0.075", a price for a million tokens. */
export const perMillion = (usd: number | undefined): string => {
  if (usd === undefined) return 'unknown'
  if (usd === 0) return 'free'
  const short = String(Number(usd.toPrecision(3)))
  return `$${/\.\d{2}/.test(short) ? short : usd.toFixed(2)}`
}
