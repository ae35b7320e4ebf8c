/** Requests to the server. If it refuses one, the error has the server's own words. */

import { use, useSyncExternalStore } from 'react'
import type { MeReply, VisibilityBody } from '../../api/common.ts'
import type {
  Accepted,
  AnswerBody,
  AskBody,
  ExhibitsReply,
  FindingsReply,
  ForkBody,
  JoinBody,
  KindBody,
  Opened,
  PersonLink,
  PersonSeatReply,
  ReplaceBody,
  SayBody,
  SessionReply,
  Share,
  SharedReply,
  ThreadReply,
} from '../../api/sessions.ts'
import type {
  AgreementBody,
  DefaultsBody,
  EndpointBody,
  EstimateReply,
  HouseReply,
  KeyBody,
  LineupBody,
  LineupsReply,
  ModelsReply,
  ProtocolsReply,
  RetiringReply,
  SettingsReply,
  SharpenedReply,
  StatsReply,
  TemplateBody,
  TemplatesReply,
  TryOutReply,
} from '../../api/table.ts'

// reachable: Whether the server can be reached. Whoever notices says so; while it can't, the page looks for it.

const pauseBetweenLooks = 2_000

let reachable = true
let looking = false
const listeners = new Set<() => void>()

const change = (now: boolean): void => {
  if (now === reachable) return
  reachable = now
  for (const listener of listeners) listener()
}

const look = async (): Promise<void> => {
  const found = await fetch('/healthz').then(
    reply => reply.ok,
    () => false,
  )
  looking = false
  if (found) change(true)
  else serverLost()
}

/** A request or a stream got no reply. */
export const serverLost = (): void => {
  change(false)
  if (!looking) setTimeout(look, pauseBetweenLooks)
  looking = true
}

/** The server has replied, whatever it said. */
export const serverFound = (): void => change(true)

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useReachable = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => reachable,
    () => true,
  )

/** The server refused a request. The message says what to do; status 0: it could not be reached. */
export class RequestRefused extends Error {
  override readonly name = 'Refusal'
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }

  static isUnreachable(error: unknown): boolean {
    return error instanceof RequestRefused && error.status === 0
  }
}

const refusalOf = async (response: Response): Promise<RequestRefused> => {
  const problem: unknown = await response.json().catch(() => undefined)
  const detail =
    typeof problem === 'object' && problem !== null && 'detail' in problem ? String(problem.detail) : ''
  return new RequestRefused(detail || `The server answered with status ${response.status}.`, response.status)
}

/** Opens the page that asks for the token, and comes back from there. */
const askForToken = (): void => {
  location.assign(`/login?to=${encodeURIComponent(location.pathname + location.search)}`)
}

/** The browser itself names the type of a form, with the mark between its parts. */
const sent = (body: unknown): RequestInit => {
  if (body instanceof FormData) return { body }
  return typeof body === 'string'
    ? { headers: { 'content-type': 'text/plain' }, body }
    : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

export const request = async <Reply>(method: string, path: string, body?: unknown): Promise<Reply> => {
  const response = await fetch(path, { method, ...(body !== undefined && sent(body)) }).catch(() => {
    serverLost()
    throw new RequestRefused('The server can’t be reached. Check that it is running, and try again.', 0)
  })
  serverFound()
  if (response.status === 401) askForToken()
  if (!response.ok) throw await refusalOf(response)
  const text = await response.text()
  return (text === '' ? undefined : JSON.parse(text)) as Reply
}

const at = (id: string): string => `/api/sessions/${encodeURIComponent(id)}`

/** The path of a session; its stream and its exports are below it. */
export const sessionPath = at
export const sharedPath = (token: string): string => `/api/shared/${encodeURIComponent(token)}`

export const fetchSession = (id: string) => request<SessionReply>('GET', at(id))
export const fetchShared = (token: string) => request<SharedReply>('GET', sharedPath(token))
export const fetchMe = () => request<MeReply>('GET', '/api/me')
export const fetchSettings = () => request<SettingsReply>('GET', '/api/settings')
/** Also checks whether every provider answers, which takes seconds. */
export const checkSettings = () => request<SettingsReply>('GET', '/api/settings?check=true')
export const fetchStats = () => request<StatsReply>('GET', '/api/stats')
export const fetchModels = () => request<ModelsReply>('GET', '/api/models?limit=1000')
export const fetchRetiring = () => request<RetiringReply>('GET', '/api/retiring')
export const fetchProtocols = () => request<ProtocolsReply>('GET', '/api/protocols')
export const findSessions = (query: URLSearchParams) =>
  request<FindingsReply>('GET', `/api/sessions?${query}`)

const settingAt = (kind: 'keys' | 'endpoints', id: string): string =>
  `/api/settings/${kind}/${encodeURIComponent(id)}`
/** The key is sent once, and never comes back. */
export const saveKey = (maker: string, body: KeyBody) => request<void>('PUT', settingAt('keys', maker), body)
export const removeKey = (maker: string) => request<void>('DELETE', settingAt('keys', maker))
export const saveEndpoint = (id: string, body: EndpointBody) =>
  request<void>('PUT', settingAt('endpoints', id), body)
export const removeEndpoint = (id: string) => request<void>('DELETE', settingAt('endpoints', id))
export const saveDefaults = (body: DefaultsBody) => request<void>('PUT', '/api/settings/defaults', body)
export const agreeToAgents = (body: AgreementBody) => request<void>('PUT', '/api/settings/agents', body)
/** Reads the configuration again, and looks for servers on this machine. */
export const reloadSettings = () => request<void>('POST', '/api/settings/reload')
export const tryProvider = (id: string) =>
  request<TryOutReply>('POST', `/api/settings/providers/${encodeURIComponent(id)}/test`)

export const fetchHouse = () => request<HouseReply>('GET', '/api/house')
/** Only after the person agreed to it. */
export const downloadWeights = (model: string) =>
  request<HouseReply>('POST', '/api/house/fetch', { consent: true, model })

const lineupAt = (name: string): string => `/api/lineups/${encodeURIComponent(name)}`
export const fetchLineups = () => request<LineupsReply>('GET', '/api/lineups')
export const saveLineup = (name: string, body: LineupBody) => request<void>('PUT', lineupAt(name), body)
export const removeLineup = (name: string) => request<void>('DELETE', lineupAt(name))

const templateAt = (name: string): string => `/api/templates/${encodeURIComponent(name)}`
export const fetchTemplates = () => request<TemplatesReply>('GET', '/api/templates')
export const saveTemplate = (name: string, body: TemplateBody) => request<void>('PUT', templateAt(name), body)
export const removeTemplate = (name: string) => request<void>('DELETE', templateAt(name))

export const askTable = (body: AskBody) => request<Opened>('POST', '/api/sessions', body)
/** With `at`, from the close of a round; otherwise from the start. */
export const forkSession = (id: string, body: ForkBody) => request<Opened>('POST', `${at(id)}/fork`, body)
export const estimateFork = (id: string, body: ForkBody) =>
  request<EstimateReply>('POST', `${at(id)}/fork/estimate`, body)
export const fetchThread = (id: string) => request<ThreadReply>('GET', `${at(id)}/thread`)
/** Reads files for the form. Nothing is kept. */
export const readFiles = (files: readonly File[]) => {
  const form = new FormData()
  for (const file of files) form.append('file', file)
  return request<ExhibitsReply>('POST', '/api/exhibits', form)
}
export const startTour = () => request<Opened>('POST', '/api/tour')
export const estimate = (body: AskBody) => request<EstimateReply>('POST', '/api/estimate', body)
/** Asks the moderator only, and opens no session. */
export const sharpen = (body: AskBody) => request<SharpenedReply>('POST', '/api/sharpen', body)
export const importSession = (text: string) => request<Opened>('POST', '/api/import', text)
export const tagSession = (id: string, tags: readonly string[]) =>
  request<void>('PUT', `${at(id)}/tags`, { tags })

export const stopSession = (id: string) => request<Accepted>('POST', `${at(id)}/cancel`)
export const resumeSession = (id: string) => request<Accepted>('POST', `${at(id)}/resume`)
export const addRound = (id: string) => request<Accepted>('POST', `${at(id)}/rounds`)
/** What one more round would take. Adds none. */
export const estimateRound = (id: string) => request<EstimateReply>('GET', `${at(id)}/rounds/estimate`)
export const correctKind = (id: string, kind: KindBody['kind']) =>
  request<Accepted>('POST', `${at(id)}/kind`, { kind })
/** For everybody, and for good. */
export const removeSession = (id: string) => request<void>('DELETE', at(id))
export const setVisibility = (id: string, body: VisibilityBody) =>
  request<void>('PUT', `${at(id)}/visibility`, body)
export const shareSession = (id: string) => request<Share>('POST', `${at(id)}/share`)
export const unshareSession = (id: string) => request<void>('DELETE', `${at(id)}/share`)

const seatAt = (id: string, seat: string): string => `${at(id)}/seats/${encodeURIComponent(seat)}`
export const retrySeat = (id: string, seat: string) => request<Accepted>('POST', `${seatAt(id, seat)}/retry`)
export const goOnWithout = (id: string, seat: string) =>
  request<Accepted>('POST', `${seatAt(id, seat)}/go-on`)
export const replaceSeat = (id: string, seat: string, body: ReplaceBody) =>
  request<Accepted>('POST', `${seatAt(id, seat)}/replace`, body)

export const sayWord = (id: string, body: SayBody) => request<Accepted>('POST', `${at(id)}/say`, body)
export const joinTable = (id: string, body: JoinBody) => request<PersonLink>('POST', `${at(id)}/people`, body)
export const linkSeat = (id: string, seat: string) => request<PersonLink>('POST', `${seatAt(id, seat)}/link`)
export const unlinkSeat = (id: string, seat: string) => request<void>('DELETE', `${seatAt(id, seat)}/link`)

/** What the holder of a person's seat sees and sends, with nothing but the link. */
const seatPath = (token: string): string => `/api/seat/${encodeURIComponent(token)}`
export const fetchSeat = (token: string) => request<PersonSeatReply>('GET', seatPath(token))
export const answerSeat = (token: string, body: AnswerBody) =>
  request<Accepted>('POST', `${seatPath(token)}/answer`, body)

// account: Whether this server has accounts, who is logged in, and what they may do. Without accounts, nothing is asked.

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
