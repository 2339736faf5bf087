import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { Identifier } from '../../components/identifier.js';
import { Table } from '../../components/table.js';
import type { Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { useMay } from '../../frame/project/project.js';
import type { Incident, IncidentGroup } from './group.js';
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

export function Group({
  group: { incidents },
  isOpen,
  onResolve,
}: {
  group: IncidentGroup;
  isOpen: boolean;
  onResolve(): void;
}) {
  const [isExpanded, setIsExpanded] = useState(false);
  const [shown, setShown] = useState(shownAtFirst);
  const mayResolve = useMay('editor');
  const [{ processID, processName, nodeID, errorType, errorCode, errorMessage, raisedAt }] = incidents;
  const count = `${incidents.length} ${incidents.length === 1 ? 'instance' : 'instances'}`;
  return (
    <Card>
      <div className={styles.group}>
        <span className={styles.count}>{incidents.length}</span>
        <div className={styles.cause}>
          <h2>
            {errorType}
            {errorCode && <code>{errorCode}</code>}
          </h2>
          <p className={styles.message}>{errorMessage}</p>
          <p className={styles.place}>
            {processName ?? processID} · <code>{nodeID}</code> · newest <Time value={raisedAt} />
          </p>
        </div>
        <div className={styles.buttons}>
          <Button aria-expanded={isExpanded} onClick={() => setIsExpanded(!isExpanded)}>
            {isExpanded ? 'Hide' : `Show ${count}`}
          </Button>
          {isOpen && mayResolve && (
            <Button kind="primary" onClick={onResolve}>
              {incidents.length === 1 ? 'Resolve' : `Resolve all ${incidents.length}`}
            </Button>
          )}
        </div>
      </div>
      {isExpanded && (
        <div className={styles.members}>
          <Table
            label={`${errorType} at ${nodeID}`}
            columns={isOpen ? columns.slice(0, -1) : columns}
            rows={incidents.slice(0, shown)}
            rowKey={({ id }) => id}
          />
          {incidents.length > shown && (
            <Button kind="quiet" onClick={() => setShown(shown + 100)}>
              {incidents.length - shown} more
            </Button>
          )}
        </div>
      )}
    </Card>
  );
}
