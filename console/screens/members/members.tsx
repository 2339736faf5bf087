/** The members of the project, as recorded by its identity provider. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../frame/access/use-session.js';
import { unwrap, api, ApiProblem } from '../../frame/api/client.js';
import { Badge } from '../../components/values/badge.js';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { Identifier } from '../../components/values/identifier.js';
import { Pager } from '../../components/tables/pager.js';
import { EmptyState, ErrorState, Loading, StaleNote } from '../../components/feedback/states.js';
import { Table } from '../../components/tables/table.js';
import type { Column } from '../../components/tables/table.js';
import { Page } from '../../frame/layout/page.js';
import { atPage, pageNumber, useAddress } from '../../frame/layout/use-address.js';
import { useProject } from '../../frame/project/project.js';
import { AddMemberDialog, ChangeRoleDialog, RemoveMemberDialog } from './member-dialogs.js';
import type { Member } from './member-dialogs.js';
import styles from './members.module.css';

const pageSize = 50;

type Asked = { kind: 'add' } | { kind: 'change' | 'remove'; member: Member };

export default function Members() {
  const { id: projectID } = useProject();
  const address = useAddress();
  const [asked, ask] = useState<Asked>();
  const page = pageNumber(address);
  const members = useQuery({
    queryKey: [projectID, 'members', page],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/members', {
          params: { path: { projectID }, query: { page, pageSize } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
  const close = () => ask(undefined);
  return (
    <Page
      title="Members"
      actions={
        members.data && (
          <Button kind="primary" icon="plus" onClick={() => ask({ kind: 'add' })}>
            Add a member
          </Button>
        )
      }
    >
      <Card>
        {members.data === undefined ? (
          members.isError ? (
            <Unreadable error={members.error} retry={() => void members.refetch()} />
          ) : (
            <Loading label="Loading members" />
          )
        ) : (
          <>
            {members.isError && <StaleNote error={members.error} since={members.dataUpdatedAt} />}
            {members.data.data.length === 0 ? (
              <EmptyState title="No members yet" icon="members">
                Add people by their subject at the identity provider.
              </EmptyState>
            ) : (
              <List members={members.data.data} ask={ask} />
            )}
            <Pager noun="members" pagination={members.data.pagination} onPage={(next) => address.set(atPage(next))} />
          </>
        )}
      </Card>
      {asked?.kind === 'add' && <AddMemberDialog onClose={close} />}
      {asked?.kind === 'change' && <ChangeRoleDialog member={asked.member} onClose={close} />}
      {asked?.kind === 'remove' && <RemoveMemberDialog member={asked.member} onClose={close} />}
    </Page>
  );
}

function List({ members, ask }: { members: readonly Member[]; ask(asked: Asked): void }) {
  const session = useSession();
  const self = session.kind === 'signed-in' ? session.subject : undefined;
  const columns: readonly Column<Member>[] = [
    {
      title: 'Name',
      cell: ({ subject, name }) => (
        <>
          {name ?? subject}
          {subject === self && <span className={styles.self}> (you)</span>}
        </>
      ),
    },
    { title: 'E-mail', cell: ({ email }) => email },
    { title: 'Subject', cell: ({ subject }) => <Identifier value={subject} /> },
    {
      title: 'Role',
      width: '8rem',
      cell: ({ role }) => <Badge tone={role === 'admin' ? 'accent' : 'grey'}>{role}</Badge>,
    },
    {
      title: 'Actions',
      width: '15rem',
      cell: (member) => (
        <span className={styles.buttons}>
          <Button aria-label={`Change role of ${member.subject}`} onClick={() => ask({ kind: 'change', member })}>
            Change role
          </Button>
          <Button aria-label={`Remove ${member.subject}`} onClick={() => ask({ kind: 'remove', member })}>
            Remove
          </Button>
        </span>
      ),
    },
  ];
  return <Table label="Members" columns={columns} rows={members} rowKey={({ subject }) => subject} />;
}

/** Without access to memberships, users manage them at the provider. */
function Unreadable({ error, retry }: { error: unknown; retry(): void }) {
  if (!(error instanceof ApiProblem) || error.code !== 'MEMBERSHIP_MANAGED_BY_PROVIDER')
    return <ErrorState error={error} retry={retry} />;
  return (
    <EmptyState title="Members are managed at the identity provider" icon="members">
      This host has no access to them. Manage roles at <code>{String(error.details['issuer'])}</code>: changes apply
      from the next sign-in. An administrator of the host can grant it access; see its documentation on identity
      providers.
    </EmptyState>
  );
}
