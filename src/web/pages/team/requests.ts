/** What the page of the admins asks of the server. */
import { useQueryClient } from '@tanstack/react-query'
import type {
  AuditReply,
  BudgetBody,
  InvitationBody,
  InvitationsReply,
  InvitedReply,
  MembersReply,
  RetentionReply,
  RoleBody,
  TeamKeysReply,
  TeamSpendingReply,
} from '../../../api/index.ts'
import { request } from '../../api.ts'

const at = (...parts: readonly string[]): string => `/api/team/${parts.map(encodeURIComponent).join('/')}`

export const fetchMembers = () => request<MembersReply>('GET', at('people'))
export const changeRole = (id: string, body: RoleBody) => request<void>('PUT', at('people', id, 'role'), body)
export const setDisabled = (id: string, disabled: boolean) =>
  request<void>('PUT', at('people', id, 'disabled'), { disabled })
export const signOutEverywhere = (id: string) => request<void>('DELETE', at('people', id, 'sign-ins'))

export const fetchInvitations = () => request<InvitationsReply>('GET', at('invitations'))
export const invite = (body: InvitationBody) => request<InvitedReply>('POST', at('invitations'), body)
export const revokeInvitation = (id: string) => request<void>('DELETE', at('invitations', id))

export const fetchKeys = () => request<TeamKeysReply>('GET', at('keys'))
export const revokeKey = (person: string, key: string) =>
  request<void>('DELETE', at('people', person, 'keys', key))

export const fetchSpending = () => request<TeamSpendingReply>('GET', at('spending'))
export const setBudget = (payer: string, body: BudgetBody) => request<void>('PUT', at('budgets', payer), body)

export const fetchAudit = (before: string) =>
  request<AuditReply>('GET', `${at('audit')}?limit=30${before && `&before=${encodeURIComponent(before)}`}`)
export const fetchRetention = () => request<RetentionReply>('GET', at('retention'))

/** Whatever was changed is also in the audit log, so all of the page is read again. */
export const useReadAgain = (): (() => Promise<void>) => {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: ['team'] })
}
