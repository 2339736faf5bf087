/** Deployments of bundles, newest first: who deployed, when, why, and which files changed. */
import { Link } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { ButtonLink } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { EmptyState } from '../../components/feedback/states.js';
import { PagedList } from '../../components/tables/paged-list.js';
import type { Column } from '../../components/tables/table.js';
import { Time } from '../../components/values/time.js';
import { Page } from '../../frame/layout/page.js';
import { Allowed, useProject } from '../../frame/project/project.js';
import { countsOf, namesOfChanged } from './changes.js';
import styles from './deployments.module.css';

type Deployment = Schemas['BpmnDeployment'];

const refreshEveryMs = 15_000;
const changesWith = ['definition'] as const;

const columns: readonly Column<Deployment>[] = [
  {
    title: 'Changed files',
    cell: ({ deploymentID = '', files }) => (
      <span className={styles.changed}>
        <Link to={deploymentID}>{namesOfChanged(files) || 'No file'}</Link>
        <span>{countsOf(files)}</span>
      </span>
    ),
  },
  { title: 'Name', width: '12rem', cell: ({ name }) => <span className={styles.text}>{name}</span> },
  { title: 'Reason', width: '16rem', cell: ({ reason }) => <span className={styles.text}>{reason}</span> },
  { title: 'Deployed by', width: '11rem', cell: ({ createdBy }) => <span className={styles.text}>{createdBy}</span> },
  { title: 'Deployed', width: '7rem', cell: ({ createdAt }) => <Time value={createdAt} /> },
];

export default function Deployments() {
  const { id: projectID } = useProject();
  return (
    <Page
      title="Deployments"
      actions={
        <>
          <ButtonLink icon="form" to="../element-templates">
            Element templates
          </ButtonLink>
          <Allowed role="editor">
            <ButtonLink kind="primary" icon="deploy" to="../deploy">
              Deploy
            </ButtonLink>
          </Allowed>
        </>
      }
    >
      <Card>
        <PagedList
          noun="deployments"
          queryKey={[projectID, 'deployments']}
          fetchPage={(query, signal) =>
            unwrap(
              api.GET('/projects/{projectID}/bpmn/deployments', { params: { path: { projectID }, query }, signal }),
            )
          }
          refreshEveryMs={refreshEveryMs}
          changesWith={changesWith}
          columns={columns}
          rowKey={({ deploymentID = '' }) => deploymentID}
          empty={
            <EmptyState title="No deployments yet" icon="deploy">
              Files that are deployed together, here or with <code>perdure deploy DIR</code>, appear here with who
              deployed them, why, and which of them changed.
            </EmptyState>
          }
        />
      </Card>
    </Page>
  );
}
