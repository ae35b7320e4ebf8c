/**
 * Sends what is on the page at the moment of the click or the key. TanStack takes a new function over after the paint: who
 * types and presses Enter at once would send what stood there before.
 */
import {
  type UseMutationOptions,
  type UseMutationResult,
  useMutation as useTanStackMutation,
} from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'

type Options<Data, Given> = UseMutationOptions<Data, Error, Given> &
  Required<Pick<UseMutationOptions<Data, Error, Given>, 'mutationFn'>>

export const useMutation = <Data, Given = void>(
  options: Options<Data, Given>,
): UseMutationResult<Data, Error, Given> => {
  const send = useRef(options.mutationFn)
  useLayoutEffect(() => {
    send.current = options.mutationFn
  })
  return useTanStackMutation({ ...options, mutationFn: (...given) => send.current(...given) })
}
