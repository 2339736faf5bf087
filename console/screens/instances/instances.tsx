/** All instances of the project, newest first, by the filters that the address names. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Schemas } from '../../frame/api/client.js';
import {
  IncidentBadge,
  OverTargetBadge,
  PausedBadge,
  QueuedBadge,
  StatusBadge,
  TestBadge,
} from '../../components/values/badge.js';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { Identifier } from '../../components/values/identifier.js';
import { ChoiceMenu } from '../../components/popups/menu.js';
import { Pager } from '../../components/tables/pager.js';
import { EmptyState, ErrorState, Loading, StaleNote } from '../../components/feedback/states.js';
import { Table } from '../../components/tables/table.js';
import type { Column } from '../../components/tables/table.js';
import { formatDuration } from '../../components/values/format-duration.js';
import { Time } from '../../components/values/time.js';
import { DownloadList } from '../../features/download.js';
import { ExampleOffer } from '../../features/example/offer.js';
import { useLiveQuery } from '../../frame/events/project-events.js';
import { Page } from '../../frame/layout/page.js';
import { atPage, useAddress } from '../../frame/layout/use-address.js';
import { sortingBy } from '../../frame/layout/use-sorting.js';
import { useProcesses } from '../../frame/project/processes.js';
import { useProject } from '../../frame/project/project.js';
import { BatchOfMatches } from './batch-of-matches.js';
import { filterOf, isFiltered, noFilter } from '../../features/filters/list-filter.js';
import { FilterBar } from '../../features/filters/filter-bar.js';
import { useStored } from '../../frame/layout/use-stored.js';
import { ProcessEditor } from '../../features/filters/process-editor.js';
import { FindInstance } from './find-instance.js';
import styles from './instances.module.css';
import { instanceList, listQuery, refreshEveryMs } from './list-query.js';
import { quickFilters } from './quick-filters.js';
import { choices, columnsOf, storedText, textOf, type ColumnKey } from './shown-columns.js';
import { Views } from './views.js';

type Instance = Schemas['BpmnInstance'];

const editors = { processId: ProcessEditor };
const changesWith = ['instance', 'incident'] as const;

const named: Column<Instance> = {
  title: 'Instance',
  width: '11rem',
  cell: ({ workflowID }) => (
    <Identifier value={workflowID} longest={14} wrap={(text) => <Link to={workflowID}>{text}</Link>} />
  ),
};

const columns: Readonly<Record<ColumnKey, Column<Instance>>> = {
  businessId: {
    title: 'Business id',
    sort: 'businessId',
    width: '16%',
    cell: ({ businessId }) => <Line text={businessId} />,
  },
  process: {
    title: 'Process',
    cell: ({ processId, processName, processVersion }) => (
      <span className={styles.process}>
        <span title={processName === undefined ? processId : `${processName} (${processId})`}>
          {processName ?? processId}
        </span>
        <span className={styles.version}>v{processVersion}</span>
      </span>
    ),
  },
  status: { title: 'Status', width: '15.5rem', cell: (instance) => <Marks instance={instance} /> },
  started: { title: 'Started', sort: 'createdAt', width: '7rem', cell: ({ createdAt }) => <Time value={createdAt} /> },
  ended: {
    title: 'Ended',
    sort: 'completedAt',
    width: '7rem',
    cell: ({ completedAt }) => (completedAt ? <Time value={completedAt} /> : <None />),
  },
  duration: {
    title: 'Duration',
    width: '6rem',
    isNumber: true,
    cell: ({ createdAt, completedAt }) =>
      completedAt ? formatDuration(Date.parse(completedAt) - Date.parse(createdAt)) : <None />,
  },
  startedBy: { title: 'Started by', width: '9rem', cell: ({ startedBy }) => <Line text={startedBy} /> },
  failure: { title: 'Failure', width: '16rem', cell: ({ failureReason }) => <Line text={failureReason} /> },
};

export default function Instances() {
  const { id: projectID } = useProject();
  const address = useAddress();
  const pollEveryMs = useLiveQuery([projectID, 'instances'], changesWith, refreshEveryMs);
  const filter = filterOf(instanceList, address);
  const instances = useQuery(listQuery(projectID, address, pollEveryMs));
  const [stored, store] = useStored('perdure.columns.instances');
  const shown = columnsOf(address.get('columns') ?? stored);
  return (
    <Page
      title="Instances"
      actions={
        <>
          <BatchOfMatches />
          <DownloadList list="bpmn/instances" projectID={projectID} filter={filter} />
        </>
      }
    >
      <FilterBar list={instanceList} quick={quickFilters} editors={editors} search={<FindInstance />}>
        <ChoiceMenu
          label="Columns"
          icon="settings"
          choices={choices}
          chosen={shown}
          onChange={(chosen) => {
            store(storedText(chosen));
            address.set({ columns: undefined });
          }}
        />
        <Views columns={textOf(shown)} />
      </FilterBar>
      {instances.isError && instances.data && <StaleNote error={instances.error} since={instances.dataUpdatedAt} />}
      <Card>
        {instances.data ? (
          instances.data.data.length > 0 ? (
            <>
              <Table
                label="Instances"
                columns={[named, ...shown.map((key) => columns[key])]}
                rows={instances.data.data}
                rowKey={({ workflowID }) => workflowID}
                sorting={sortingBy(address, instanceList, filter)}
              />
              <Pager
                noun="instances"
                pagination={instances.data.pagination}
                onPage={(next) => address.set(atPage(next))}
              />
            </>
          ) : (
            <NoInstances isFiltered={isFiltered(filter)} onClear={() => address.set(noFilter(instanceList))} />
          )
        ) : instances.isError ? (
          <ErrorState error={instances.error} retry={() => void instances.refetch()} />
        ) : (
          <Loading lines={12} label="Loading instances" />
        )}
      </Card>
    </Page>
  );
}

/** Characters at the end that are always shown, because texts of this kind often differ there only. */
const END_SHOWN = 10;

/** A text on one line, without its middle if it is too long, and with all of it as the tooltip. */
function Line({ text }: { text: string | undefined }) {
  if (!text) return <None />;
  const characters = [...text];
  return (
    <span className={styles.line} title={text}>
      <span>{characters.slice(0, -END_SHOWN).join('')}</span>
      <span>{characters.slice(-END_SHOWN).join('')}</span>
    </span>
  );
}

function None() {
  return <span className={styles.none}>–</span>;
}

function Marks({
  instance: {
    status,
    queued,
    isTest,
    hasIncident,
    overTarget,
    suspendedAt,
    suspendedBy,
    suspendReason,
    definitionSuspended,
    parentSuspended,
  },
}: {
  instance: Instance;
}) {
  const isPaused = suspendedAt !== undefined || definitionSuspended || parentSuspended;
  return (
    <span className={styles.marks}>
      <StatusBadge status={status} />
      {queued && <QueuedBadge />}
      {isTest && <TestBadge />}
      {hasIncident && <IncidentBadge />}
      {overTarget && <OverTargetBadge />}
      {isPaused && status === 'RUNNING' && (
        <PausedBadge
          title={
            suspendedAt
              ? [`by ${suspendedBy ?? 'unknown'}`, suspendReason].filter(Boolean).join(': ')
              : definitionSuspended
                ? 'Its definition is paused'
                : 'A parent instance is paused'
          }
        />
      )}
    </span>
  );
}

function NoInstances({ isFiltered: filtered, onClear }: { isFiltered: boolean; onClear(): void }) {
  if (filtered)
    return (
      <EmptyState
        title="No instances match"
        icon="search"
        action={<Button onClick={onClear}>Clear the filters</Button>}
      >
        No instance in this project matches all of the filters above.
      </EmptyState>
    );
  return <NoInstancesYet />;
}

function NoInstancesYet() {
  const processes = useProcesses();
  if (processes.isPending) return <Loading lines={4} label="Loading processes" />;
  if (processes.data?.pagination.total === 0) return <ExampleOffer title="No instances yet" />;
  return (
    <EmptyState title="No instances yet">
      Start a process, from the console or over the REST API. Its instances appear here.
    </EmptyState>
  );
}
