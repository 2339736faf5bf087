/** Backtests of the project, newest first. */
import { Link } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import { StatusBadge } from '../../components/values/badge.js';
import { Card } from '../../components/basics/card.js';
import { PagedList } from '../../components/tables/paged-list.js';
import { EmptyState } from '../../components/feedback/states.js';
import type { Column } from '../../components/tables/table.js';
import { Time } from '../../components/values/time.js';
import { comparedWith, type Backtest } from '../../features/backtests/backtest-query.js';
import { Page } from '../../frame/layout/page.js';
import { useProject } from '../../frame/project/project.js';

const refreshEveryMs = 4_000;

const columns: readonly Column<Backtest>[] = [
  {
    title: 'Process',
    cell: ({ backtestID, processID }) => <Link to={backtestID}>{processID}</Link>,
  },
  { title: 'Compared with', width: '12rem', cell: comparedWith },
  { title: 'Status', width: '8rem', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    title: 'Compared',
    width: '10rem',
    cell: ({ done, total }) => `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`,
  },
  {
    title: 'The same',
    width: '8rem',
    isNumber: true,
    cell: ({ counts: { same } }) => same.toLocaleString('en'),
  },
  { title: 'Created by', width: '10rem', cell: ({ createdBy }) => createdBy },
  { title: 'Created', width: '7rem', cell: ({ createdAt }) => <Time value={createdAt} /> },
];

export default function Backtests() {
  const { id: projectID } = useProject();
  return (
    <Page title="Backtests">
      <Card>
        <PagedList
          noun="backtests"
          queryKey={[projectID, 'backtests']}
          fetchPage={(page, signal) =>
            unwrap(
              api.GET('/projects/{projectID}/bpmn/backtests', {
                params: { path: { projectID }, query: page },
                signal,
              }),
            )
          }
          refreshEveryMs={refreshEveryMs}
          columns={columns}
          rowKey={({ backtestID }) => backtestID}
          empty={
            <EmptyState title="No backtests">
              A backtest shows what another version would have done. Open a process or a draft, then choose “Compare
              with history”.
            </EmptyState>
          }
        />
      </Card>
    </Page>
  );
}
