/** Lines of the audit log, as people read them. */
import type { AuditLineReply } from '../../../api/index.ts'

/** `~` stands for the person or session that it was done to. */
const sentences: Readonly<Record<string, string>> = {
  'signed-in': 'logged in',
  'sign-in-failed': 'tried a wrong password for ~',
  'sign-in-ended': 'ended a login of ~',
  'signed-out-everywhere': 'logged ~ out everywhere',
  'password-changed': 'changed the password of ~',
  'passkey-added': 'added a passkey of ~',
  'passkey-removed': 'removed a passkey of ~',
  'role-admin': 'made ~ an admin',
  'role-member': 'made ~ a member',
  'role-viewer': 'made ~ a viewer',
  disabled: 'disabled ~',
  enabled: 'enabled ~',
  'invited-admin': 'invited an admin',
  'invited-member': 'invited a member',
  'invited-viewer': 'invited a viewer',
  'invitation-accepted': 'accepted an invitation',
  'invitation-revoked': 'revoked an invitation',
  'joined-by-domain': 'joined with an address of the team',
  'key-made-read': 'made an API key that reads',
  'key-made-ask': 'made an API key that asks',
  'key-made-all': 'made an API key with all rights',
  'key-revoked': 'revoked an API key of ~',
  'maker-key-saved': 'saved a provider’s key of ~',
  'maker-key-removed': 'removed a provider’s key of ~',
  'endpoint-saved': 'saved an endpoint of ~',
  'endpoint-removed': 'removed an endpoint of ~',
  'budget-changed': 'changed the budget of ~',
  'share-session': 'changed who sees the session ~',
  'shared-with-team': 'shared the session ~ with the team',
  'made-private': 'made the session ~ private',
  'link-made': 'made a link to the session ~',
  'link-revoked': 'revoked the link to the session ~',
  'delete-session': 'deleted the session ~',
  'change-template': 'changed a template',
  'change-settings': 'changed the settings',
}

const withoutDetail = ({ who, what, whose }: AuditLineReply): string => {
  const sentence = sentences[what]
  if (sentence === undefined) return [what.replaceAll('-', ' '), whose].filter(Boolean).join(': ')
  if (whose !== null && whose === who)
    return sentence.replace('~', 'themselves').replace(/ of themselves$/, '')
  return sentence.replace('~', () => (whose === 'team' ? 'the team' : (whose ?? 'somebody')))
}

/** What isn't known here is shown as it is in the log. */
export const auditWords = (entry: AuditLineReply): string =>
  entry.detail ? `${withoutDetail(entry)}: ${entry.detail}` : withoutDetail(entry)

/** Who did something if no person did. */
const others: Readonly<Record<string, string>> = {
  nobody: 'Somebody',
  terminal: 'The terminal',
  machine: 'The terminal',
}
export const actorName = (who: string): string => others[who] ?? who
