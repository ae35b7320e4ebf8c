/** An estimate as a person sees it: also whether a budget has too little left for it. */
import { budgetNotes } from '../../accounts/budget-notes.ts'
import { currentPerson } from '../../accounts/visitor.ts'
import type { EstimateReply } from '../../api/index.ts'
import type { Service } from '../service.ts'

export const withBudgetNotes = async (
  { accounts, clock }: Service,
  estimate: EstimateReply,
): Promise<EstimateReply> => {
  const person = currentPerson()?.person
  if (!accounts || !person) return estimate
  const { inputTokens, outputTokens, costUsd, notes } = estimate
  const needs = { tokens: inputTokens.low + outputTokens.low, usd: costUsd?.low ?? null }
  return {
    ...estimate,
    notes: [...(await budgetNotes(accounts.archive, person.id, clock(), needs)), ...notes],
  }
}
