/** All deployed processes with the number of their running instances. */
import { Link } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { PausedBadge } from '../../components/values/badge.js';
import { Card } from '../../components/basics/card.js';
import { PagedList } from '../../components/tables/paged-list.js';
import type { Column } from '../../components/tables/table.js';
import { ExampleOffer } from '../../features/example/offer.js';
import { Page } from '../../frame/layout/page.js';
import { useMay, useProject } from '../../frame/project/project.js';
import { countedText, InstanceCount } from './instance-count.js';
import styles from './processes.module.css';

type Process = Schemas['BpmnProcessSummary'];

const refreshEveryMs = 8_000;
const changesWith = ['definition', 'instance'] as const;

const columns: readonly Column<Process>[] = [
  {
    title: 'Process',
    cell: ({ processID, processName }) => <Link to={encodeURIComponent(processID)}>{processName || processID}</Link>,
  },
  { title: 'Process id', cell: ({ processID }) => <code className={styles.id}>{processID}</code> },
  { title: 'Versions', width: '7rem', isNumber: true, cell: ({ versionCount }) => versionCount.toLocaleString('en') },
  {
    title: 'Running',
    width: '8rem',
    isNumber: true,
    cell: ({ processID, runningCount }) => (
      <InstanceCount
        count={runningCount}
        text={countedText(runningCount)}
        filter={{ processId: processID, status: 'RUNNING' }}
      />
    ),
  },
  {
    title: 'Instances',
    width: '8rem',
    isNumber: true,
    cell: ({ processID, totalCount }) => (
      <InstanceCount count={totalCount} text={countedText(totalCount)} filter={{ processId: processID }} />
    ),
  },
  {
    title: 'Paused',
    width: '12rem',
    cell: ({ suspendedVersionCount }) =>
      suspendedVersionCount > 0 && (
        <PausedBadge by={`${suspendedVersionCount} ${suspendedVersionCount === 1 ? 'version' : 'versions'} paused`} />
      ),
  },
];

const startColumn: Column<Process> = {
  title: 'Start',
  width: '6rem',
  cell: ({ processID, processName }) => (
    <Link to={`${encodeURIComponent(processID)}/start`} aria-label={`Start ${processName || processID}`}>
      Start
    </Link>
  ),
};

export default function Processes() {
  const { id: projectID } = useProject();
  const mayStart = useMay('executor');
  return (
    <Page title="Processes">
      <Card>
        <PagedList
          noun="processes"
          queryKey={[projectID, 'processes']}
          fetchPage={(page, signal) =>
            unwrap(
              api.GET('/projects/{projectID}/bpmn/processes', { params: { path: { projectID }, query: page }, signal }),
            )
          }
          refreshEveryMs={refreshEveryMs}
          changesWith={changesWith}
          columns={mayStart ? [...columns, startColumn] : columns}
          rowKey={({ processID }) => processID}
          empty={<ExampleOffer title="No processes yet" />}
        />
      </Card>
    </Page>
  );
}
