/** The instances of a backtest behind each number. */
import { useMemo } from 'react';
import { Link } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { Card } from '../../components/basics/card.js';
import { SelectField } from '../../components/fields/field.js';
import { Button } from '../../components/basics/button.js';
import { Identifier } from '../../components/values/identifier.js';
import { PagedList } from '../../components/tables/paged-list.js';
import { EmptyState } from '../../components/feedback/states.js';
import type { Column } from '../../components/tables/table.js';
import { outcomes, type Backtest } from '../../features/backtests/backtest-query.js';
import { differenceAddress } from '../../features/backtests/candidate-address.js';
import { playOf } from '../../features/play/addresses.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { useMay, useProject } from '../../frame/project/project.js';
import styles from './backtests.module.css';
import { OutcomeBadge } from './groups.js';

type Item = Schemas['BpmnBacktestItem'];

const refreshEveryMs = 3_000;

const columnsOf = (
  backtestID: string,
  names: ReadonlyMap<string, string>,
  playOfItem: (workflowID: string) => string | undefined,
): readonly Column<Item>[] => [
  {
    title: 'Instance',
    width: '24rem',
    cell: ({ workflowID }) => (
      <Identifier
        value={workflowID}
        longest={40}
        wrap={(text) => <Link to={`../instances/${encodeURIComponent(workflowID)}`}>{text}</Link>}
      />
    ),
  },
  { title: 'Outcome', width: '10rem', cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
  {
    title: 'First difference',
    width: '14rem',
    cell: ({ first }) => first && <NodeName nodeID={first.nodeID} name={names.get(first.nodeID)} />,
  },
  {
    title: 'Why',
    cell: ({ reason, variables }) => (
      <span className={styles.why}>
        {reason}
        {variables && variables.length > 0 && ` (${variables.join(', ')})`}
      </span>
    ),
  },
  {
    title: 'Runs',
    width: '11rem',
    cell: ({ workflowID, outcome }) =>
      outcome !== 'SAME' &&
      outcome !== 'SKIPPED' && (
        <span className={styles.runs}>
          <Link to={`../backtests/${encodeURIComponent(backtestID)}/${encodeURIComponent(workflowID)}`}>
            Compare runs
          </Link>
          <PlayLink to={playOfItem(workflowID)} />
        </span>
      ),
  },
];

interface ItemsProps {
  backtest: Backtest;
  /** Of nodes of the version. */
  names: ReadonlyMap<string, string>;
}

export function Items({ backtest, names }: ItemsProps) {
  const { backtestID, completedAt } = backtest;
  const mayContinue = useMay('editor');
  const { id: projectID } = useProject();
  const address = useAddress();
  const outcome = outcomes.find((one) => one.outcome === address.get('outcome'))?.outcome;
  const nodeID = address.get('node');
  const columns = useMemo(
    () =>
      columnsOf(backtestID, names, (workflowID) => {
        const subject = mayContinue ? differenceAddress(backtest, workflowID, true) : undefined;
        return subject && playOf(projectID, subject);
      }),
    [backtest, backtestID, names, mayContinue, projectID],
  );
  return (
    <>
      <search className={styles.filters} aria-label="Filters">
        <SelectField
          label="Outcome"
          value={outcome ?? ''}
          onChange={({ target }) => address.set({ outcome: target.value, page: undefined })}
        >
          <option value="">Any</option>
          {outcomes.map((one) => (
            <option key={one.outcome} value={one.outcome}>
              {one.word}
            </option>
          ))}
        </SelectField>
        {nodeID !== undefined && (
          <Button icon="close" onClick={() => address.set({ node: undefined, page: undefined })}>
            Not only at {names.get(nodeID) ?? nodeID}
          </Button>
        )}
      </search>
      <Card title="Instances">
        <PagedList
          noun="instances"
          // Fetched once more when the backtest has ended.
          queryKey={[projectID, 'backtest', backtestID, 'items', outcome, nodeID, completedAt === undefined]}
          fetchPage={(page, signal) =>
            unwrap(
              api.GET('/projects/{projectID}/bpmn/backtests/{backtestID}/items', {
                params: { path: { projectID, backtestID }, query: { outcome, nodeID, ...page } },
                signal,
              }),
            )
          }
          refreshEveryMs={completedAt === undefined && refreshEveryMs}
          columns={columns}
          rowKey={({ workflowID }) => workflowID}
          empty={<EmptyState title="No instances">No instance has this outcome.</EmptyState>}
        />
      </Card>
    </>
  );
}

function PlayLink({ to }: { to: string | undefined }) {
  return to !== undefined && <Link to={to}>Play</Link>;
}

function NodeName({ nodeID, name }: { nodeID: string; name: string | undefined }) {
  return (
    <span className={styles.node}>
      {name} <code>{nodeID}</code>
    </span>
  );
}
