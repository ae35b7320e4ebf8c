/** The team, for admins: people, invitations, keys, what everybody spent, the audit log, and retention. */
import { useQuery } from '@tanstack/react-query'
import { counted } from '../../../core/wording/numbers.ts'
import { hasAccounts, useMay } from '../../account.ts'
import { Failed, Notice, NoticeLink, Waiting } from '../../components/notice.tsx'
import { Section } from '../../components/section.tsx'
import { useTitle } from '../../components/title.ts'
import { AuditLog, useAudit } from './audit.tsx'
import { Invitations } from './invitations.tsx'
import { Keys } from './keys.tsx'
import { People } from './people.tsx'
import { fetchInvitations, fetchKeys, fetchMembers, fetchRetention, fetchSpending } from './requests.ts'
import { Spending } from './spending.tsx'

const day = 86_400

const Retention = ({ keepSeconds }: { keepSeconds: number | null }) => (
  <p className="text-sm">
    {keepSeconds === null
      ? 'Sessions are kept until somebody deletes them.'
      : `Finished sessions are deleted after ${keepSeconds % day === 0 ? counted(keepSeconds / day, 'day') : counted(keepSeconds / 3_600, 'hour')}.`}{' '}
    <span className="text-soft">
      {keepSeconds === null ? 'They can be deleted after some time' : 'The time can be changed'}: on the
      server, for example with <code>ROUNDTABLE_KEEP=90d</code>.
    </span>
  </p>
)

/** Pieces that come one by one would push down what is being read. */
const useTeam = () => {
  const members = useQuery({ queryKey: ['team', 'people'], queryFn: fetchMembers })
  const invitations = useQuery({ queryKey: ['team', 'invitations'], queryFn: fetchInvitations })
  const keys = useQuery({ queryKey: ['team', 'keys'], queryFn: fetchKeys })
  const spending = useQuery({ queryKey: ['team', 'spending'], queryFn: fetchSpending })
  const retention = useQuery({ queryKey: ['team', 'retention'], queryFn: fetchRetention })
  const audit = useAudit()
  const parts = [members, invitations, keys, spending, retention, audit]
  return {
    ...{ members, invitations, keys, spending, retention },
    error: parts.find(part => part.error)?.error,
    wait: parts.some(part => part.isPending),
  }
}

const Team = () => {
  const { members, invitations, keys, spending, retention, error, wait } = useTeam()
  if (error && wait) return <Failed title="The team can’t be loaded" error={error} />
  if (wait) return <Waiting what="Loading the team" />
  return (
    <div className="mx-auto max-w-4xl space-y-5 px-4 pt-6 pb-16 sm:px-6 sm:pt-10">
      <h1 className="said text-3xl font-semibold tracking-tight">Team</h1>
      <Section title="People">
        <People people={members.data?.people ?? []} />
      </Section>
      <Section title="Invite somebody" hint="You get a link to send. Whoever opens it makes one account.">
        <Invitations invitations={invitations.data?.invitations ?? []} />
      </Section>
      <Section
        title="Spending and budgets"
        hint="What calls to paid models cost. What people asked in private stays private."
      >
        {spending.data && <Spending spending={spending.data} />}
      </Section>
      <Section title="API keys" hint="For programs. The keys themselves are never shown.">
        <Keys keys={keys.data?.keys ?? []} />
      </Section>
      <Section title="Audit log" hint="Who did what, when and from where. Nobody can change it here.">
        <AuditLog />
      </Section>
      <Section title="How long sessions are kept">
        <Retention keepSeconds={retention.data?.keepSeconds ?? null} />
      </Section>
    </div>
  )
}

export const Page = () => {
  useTitle('Team')
  const may = useMay('manage-people')
  if (!hasAccounts())
    return (
      <Notice title="This server has no accounts">
        <p>
          Start it with <code>ROUNDTABLE_ACCOUNTS=on</code> to give each person an account of their own.
        </p>
        <NoticeLink to="/">Ask a question</NoticeLink>
      </Notice>
    )
  if (may) return <Team />
  return (
    <Notice title="For admins">
      <p>Only an admin of this server can manage the team.</p>
      <NoticeLink to="/sessions">Show all sessions</NoticeLink>
    </Notice>
  )
}
