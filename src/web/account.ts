/** Whether this server has accounts, who is logged in, and what they may do. Without accounts, nothing is asked. */
import { use } from 'react'
import type { MeReply } from '../api/index.ts'
import { fetchMe } from './api.ts'

/** The server marks its pages while accounts are on. */
export const hasAccounts = (): boolean => document.querySelector('meta[name="accounts"]') !== null

/** Whoever has a link need not be logged in. */
export const isGuestPage = (path: string): boolean => path.startsWith('/seat/') || path.startsWith('/shared/')

const asksWho = (): boolean => hasAccounts() && !isGuestPage(location.pathname)

let known: MeReply | null | undefined
let asked: Promise<MeReply | null> | undefined

/** Asks once. Null: nobody has to be logged in here, or the server did not say. */
export const askWho = (): Promise<MeReply | null> => {
  if (!asksWho()) return Promise.resolve(null)
  asked ??= fetchMe()
    .catch(() => null)
    .then(me => {
      known = me
      return me
    })
  return asked
}

/** The page waits for it, so that nothing appears later. */
export const useMe = (): MeReply | null => {
  if (known !== undefined) return known
  return asksWho() ? use(askWho()) : null
}

/** True without accounts, and if it isn't known: then the server says no. */
export const useMay = (action: string): boolean => useMe()?.may.includes(action) ?? true

/** A stream that was refused doesn't say why. If the sign-in has ended, the request leads to the sign-in page. */
export const checkSignIn = (): void => {
  if (asksWho()) fetchMe().catch(() => undefined)
}
