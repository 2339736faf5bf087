/** The deployed forms of the project, each with its newest version and the processes that use it. */
import { Link } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { Card } from '../../components/basics/card.js';
import { EmptyState } from '../../components/feedback/states.js';
import { PagedList } from '../../components/tables/paged-list.js';
import type { Column } from '../../components/tables/table.js';
import { Time } from '../../components/values/time.js';
import { Page } from '../../frame/layout/page.js';
import { useProject } from '../../frame/project/project.js';
import styles from './forms.module.css';
import { UsesOfForm } from './uses-of-form.js';

type Form = Schemas['BpmnListedForm'];

const changesWith = ['definition'] as const;

const columns: readonly Column<Form>[] = [
  {
    title: 'Form',
    cell: ({ formID }) => (
      <Link className={styles.name} to={encodeURIComponent(formID)}>
        {formID}
      </Link>
    ),
  },
  { title: 'Version', width: '6rem', isNumber: true, cell: ({ version }) => version },
  { title: 'Version tag', width: '9rem', cell: ({ versionTag }) => <span className={styles.text}>{versionTag}</span> },
  { title: 'Used by', width: '24rem', cell: ({ usedBy }) => <UsesOfForm uses={usedBy} /> },
  { title: 'Deployed', width: '8rem', cell: ({ createdAt }) => <Time value={createdAt} /> },
];

export default function Forms() {
  const { id: projectID } = useProject();
  return (
    <Page title="Forms">
      <Card>
        <PagedList
          noun="forms"
          queryKey={[projectID, 'forms']}
          fetchPage={(query, signal) =>
            unwrap(api.GET('/projects/{projectID}/bpmn/forms', { params: { path: { projectID }, query }, signal }))
          }
          changesWith={changesWith}
          columns={columns}
          rowKey={({ formID }) => formID}
          empty={
            <EmptyState title="No forms yet" icon="form">
              Deploy a <code>.form</code> file of Camunda Modeler together with the process whose user task or start
              event names it. Forms that are embedded in a BPMN file are not listed.
            </EmptyState>
          }
        />
      </Card>
    </Page>
  );
}
