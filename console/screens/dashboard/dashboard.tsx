/** The state of the project in numbers. Each links to the list of the counted items. */
import { useQuery } from '@tanstack/react-query';
import { Card } from '../../components/basics/card.js';
import { ErrorState, Loading, StaleNote } from '../../components/feedback/states.js';
import { Time } from '../../components/values/time.js';
import { ExampleOffer } from '../../features/example/offer.js';
import type { ProjectStatistics } from '../../features/statistics/types.js';
import { AsOf } from '../../features/statistics/as-of.js';
import { projectStatistics } from '../../features/statistics/queries.js';
import { Page } from '../../frame/layout/page.js';
import { useProcesses } from '../../frame/project/processes.js';
import { useMay, useProject } from '../../frame/project/project.js';
import { RunningByAge } from './ages.js';
import styles from './dashboard.module.css';
import { Figures } from './figures.js';
import { ended, firstHourOf, instances, openTasks, started } from './lists.js';
import { IncidentGroups } from './incident-groups.js';
import { SlowestNodes } from './slowest-nodes.js';
import { Trend } from './trend.js';

export default function Dashboard() {
  const { id: projectID } = useProject();
  const { data, error, isError, dataUpdatedAt, refetch } = useQuery(projectStatistics(projectID));
  const processes = useProcesses();
  if (processes.data?.pagination.total === 0)
    return (
      <Page title="Dashboard">
        <Card>
          <ExampleOffer title="No processes yet" />
        </Card>
      </Page>
    );
  return (
    <Page title="Dashboard">
      {isError &&
        (data ? (
          <StaleNote error={error} since={dataUpdatedAt} />
        ) : (
          <ErrorState error={error} retry={() => void refetch()} />
        ))}
      {data === undefined && !isError && <Loading lines={12} label="Loading the numbers of the project" />}
      {data && <Numbers statistics={data} />}
      <Trend>
        <IncidentGroups />
      </Trend>
      {data && (
        <div className={styles.columns}>
          <RunningByAge ages={data.runningByAge} running={data.instances.running} atMs={dataUpdatedAt} />
          <SlowestNodes nodes={data.slowestNodes} />
        </div>
      )}
    </Page>
  );
}

function Numbers({ statistics }: { statistics: ProjectStatistics }) {
  return (
    <>
      <InstanceFigures statistics={statistics} />
      <WorkFigures statistics={statistics} />
      <LastDay statistics={statistics} />
    </>
  );
}

function InstanceFigures({ statistics: { instances: counts, openIncidents } }: { statistics: ProjectStatistics }) {
  const running = (filter: object = {}) => instances({ status: 'RUNNING', ...filter });
  return (
    <Figures
      title="Instances"
      figures={[
        { label: 'Running', count: counts.running, to: running() },
        { label: 'Paused', count: counts.paused, to: running({ suspended: 'true' }), tone: 'amber' },
        { label: 'With an incident', count: counts.withIncident, to: running({ hasIncident: 'true' }), tone: 'red' },
        { label: 'Over target', count: counts.overTarget, to: running({ overTarget: 'true' }), tone: 'red' },
        { label: 'Open incidents', count: openIncidents, to: 'incidents', tone: 'red' },
      ]}
    />
  );
}

function WorkFigures({ statistics: { userTasks, jobs, keptMessages } }: { statistics: ProjectStatistics }) {
  // Viewers see the tasks that name them, and no others.
  const mayList = useMay('executor');
  const tasks = (filter?: Parameters<typeof openTasks>[0]) => (mayList ? openTasks(filter) : undefined);
  const oldest = jobs.oldestAvailableAt && (
    <>
      Oldest available <Time value={jobs.oldestAvailableAt} />
    </>
  );
  return (
    <Figures
      title="Waiting work"
      figures={[
        { label: 'Open tasks', count: userTasks.open, to: tasks() },
        { label: 'Unassigned tasks', count: userTasks.unassigned, to: tasks({ unassigned: 'true' }) },
        { label: 'Overdue tasks', count: userTasks.overdue, to: tasks({ due: 'overdue' }), tone: 'red' },
        { label: 'Pending jobs', count: jobs.pending, to: 'jobs?status=PENDING', note: oldest },
        { label: 'Kept messages', count: keptMessages, to: 'messages?state=KEPT' },
      ]}
    />
  );
}

function LastDay({ statistics: { last24Hours: counts, asOf } }: { statistics: ProjectStatistics }) {
  const since = firstHourOf(asOf);
  const incidents = `incidents?${new URLSearchParams({ since: new Date(since).toISOString() })}`;
  return (
    <Figures
      title="Last 24 hours"
      marks={<AsOf value={asOf} />}
      figures={[
        { label: 'Started', count: counts.started, to: started(since) },
        { label: 'Completed', count: counts.completed, to: ended(since, 'COMPLETED') },
        { label: 'Failed', count: counts.failed, to: ended(since, 'FAILED'), tone: 'red' },
        { label: 'Canceled', count: counts.canceled, to: ended(since, 'CANCELED') },
        {
          label: 'Incidents raised',
          count: counts.incidents,
          to: incidents,
          tone: 'red',
          note: 'Lists open ones only',
        },
      ]}
    />
  );
}
