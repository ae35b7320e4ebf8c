/** What a model needs before it can be seated, in the words of the settings page. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ModelReply } from '../../api/index.ts'
import { fetchSettings } from '../api.ts'

/** Providers by the variable that holds their key. */
export type KeyNames = ReadonlyMap<string, string>

export const useKeyNames = (): KeyNames => {
  const { data } = useQuery({ queryKey: ['settings'], queryFn: fetchSettings })
  return useMemo(
    () =>
      new Map(
        (data?.providers ?? []).flatMap(({ variables, label }) =>
          variables.map(variable => [variable, label] as const),
        ),
      ),
    [data],
  )
}

const either = new Intl.ListFormat('en', { type: 'disjunction' })

/** "needs a key for Anthropic or OpenRouter" */
export const needOf = ({ missing, house, agent }: ModelReply, keyNames: KeyNames): string => {
  if (missing.length === 0) return 'no provider serves it'
  const names = [...new Set(missing.map(variable => keyNames.get(variable) ?? variable))]
  return house || agent ? `needs ${either.format(names)}` : `needs a key for ${either.format(names)}`
}
