/** What somebody with an account is. The table in `src/accounts/permissions.ts` says what each may do. */
export const roles = ['admin', 'member', 'viewer'] as const
export type Role = (typeof roles)[number]
