import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { Identifier } from '../../components/values/identifier.js';
import { ErrorState, Loading } from '../../components/feedback/states.js';
import { Table } from '../../components/tables/table.js';
import type { Column } from '../../components/tables/table.js';
import { Time } from '../../components/values/time.js';
import { useMay, useProject } from '../../frame/project/project.js';
import { fetchMembers, MAX_MEMBERS, type Incident, type IncidentGroup } from './group.js';
import styles from './incidents.module.css';

/** Number of instances in the table at first. */
const shownAtFirst = 20;

const columns: readonly Column<Incident>[] = [
  {
    title: 'Instance',
    cell: ({ workflowID, nodeID }) => (
      <Identifier
        value={workflowID}
        wrap={(text) => (
          <Link to={`../instances/${encodeURIComponent(workflowID)}?tab=incidents&node=${encodeURIComponent(nodeID)}`}>
            {text}
          </Link>
        )}
      />
    ),
  },
  {
    title: 'Message',
    width: '45%',
    cell: ({ errorMessage }) => <span className={styles.message}>{errorMessage}</span>,
  },
  { title: 'Version', width: '5rem', isNumber: true, cell: ({ processVersion }) => processVersion },
  { title: 'Raised', width: '8rem', cell: ({ raisedAt }) => <Time value={raisedAt} /> },
  {
    title: 'Resolved',
    width: '13rem',
    cell: ({ resolvedAt, resolvedBy }) =>
      resolvedAt && (
        <>
          <Time value={resolvedAt} />
          {resolvedBy && ` by ${resolvedBy}`}
        </>
      ),
  },
];

interface GroupProps {
  group: IncidentGroup;
  isOpen: boolean;
  onResolve(incidents: readonly Incident[]): void;
}

export function Group({ group, isOpen, onResolve }: GroupProps) {
  const { groupID, processID, processName, nodeID, errorType, errorCode, message, count, lastRaisedAt } = group;
  const { id: projectID } = useProject();
  const [isExpanded, setIsExpanded] = useState(false);
  const mayResolve = useMay('editor');
  const choose = useMutation({
    mutationFn: () => fetchMembers(projectID, { groupID, status: isOpen ? 'open' : 'resolved' }),
    onSuccess: (found) => {
      // All of them may have been resolved since.
      if (found.length > 0) onResolve(found);
    },
  });
  return (
    <Card>
      <div className={styles.group}>
        <span className={styles.count}>{count.toLocaleString('en')}</span>
        <div className={styles.cause}>
          <h2>
            {errorType}
            {errorCode && <code>{errorCode}</code>}
          </h2>
          <p className={styles.message}>{message}</p>
          <p className={styles.place}>
            {processName ?? processID} · <code>{nodeID}</code> · newest <Time value={lastRaisedAt} />
          </p>
        </div>
        <div className={styles.buttons}>
          <Button aria-expanded={isExpanded} onClick={() => setIsExpanded(!isExpanded)}>
            {isExpanded ? 'Hide' : showLabel(group)}
          </Button>
          {isOpen && mayResolve && (
            <Button kind="primary" isBusy={choose.isPending} onClick={() => choose.mutate()}>
              {resolveLabel(count)}
            </Button>
          )}
        </div>
      </div>
      {choose.isError && <ErrorState error={choose.error} retry={() => choose.mutate()} />}
      {isExpanded && <Members group={group} isOpen={isOpen} />}
    </Card>
  );
}

/** The newest incidents of the group. */
function Members({
  group: { groupID, errorType, nodeID, count, lastRaisedAt },
  isOpen,
}: Pick<GroupProps, 'group' | 'isOpen'>) {
  const { id: projectID } = useProject();
  const [shown, setShown] = useState(shownAtFirst);
  const status = isOpen ? 'open' : 'resolved';
  const members = useQuery({
    queryKey: [projectID, 'incidents', 'members', groupID, status, count, lastRaisedAt],
    queryFn: ({ signal }) => fetchMembers(projectID, { groupID, status }, signal),
    placeholderData: keepPreviousData,
  });
  if (members.isError) return <ErrorState error={members.error} retry={() => void members.refetch()} />;
  if (members.isPending) return <Loading label="Loading the incidents" />;
  return (
    <div className={styles.members}>
      <Table
        label={`${errorType} at ${nodeID}`}
        columns={isOpen ? columns.slice(0, -1) : columns}
        rows={members.data.slice(0, shown)}
        rowKey={({ id }) => id}
      />
      {members.data.length > shown && (
        <Button kind="quiet" onClick={() => setShown(shown + 100)}>
          {members.data.length - shown} more
        </Button>
      )}
    </div>
  );
}

function showLabel({ instances }: IncidentGroup): string {
  return `Show ${instances.toLocaleString('en')} ${instances === 1 ? 'instance' : 'instances'}`;
}

function resolveLabel(count: number): string {
  if (count === 1) return 'Resolve';
  return count <= MAX_MEMBERS ? `Resolve all ${count}` : `Resolve the newest ${MAX_MEMBERS}`;
}
