/** Checks each call of an MCP tool against the table of permissions. */
import { z } from 'zod'
import { checkPermission, filingSeen } from '../../accounts/scoped-archive.ts'
import { currentVisitor } from '../../accounts/visitor.ts'
import { Refusal, unknownSession } from '../problem.ts'
import { isSessionId } from '../router.ts'
import type { ServedAccounts } from '../service.ts'
import { toolActions } from './route-actions.ts'

const aboutSession = z.object({ id: z.string() })

export const toolGuard =
  ({ archive }: ServedAccounts) =>
  async (tool: string, given: unknown): Promise<void> => {
    const entry = toolActions[tool]
    if (!entry) throw new Refusal(403, 'Nobody may use this tool while accounts are on.')
    const visitor = currentVisitor()
    if (!entry.session) return checkPermission(visitor, entry.action)
    const { id } = aboutSession.parse(given)
    const ownership = isSessionId(id) ? await filingSeen(archive, visitor, id) : undefined
    if (!ownership) throw unknownSession(id)
    checkPermission(visitor, entry.action, ownership)
  }
