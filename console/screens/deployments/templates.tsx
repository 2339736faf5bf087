/** The element templates of the project, for modelers. */
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { Card } from '../../components/basics/card.js';
import { EmptyState } from '../../components/feedback/states.js';
import { PagedList } from '../../components/tables/paged-list.js';
import type { Column } from '../../components/tables/table.js';
import { Time } from '../../components/values/time.js';
import { Page } from '../../frame/layout/page.js';
import { useProject } from '../../frame/project/project.js';
import styles from './deployments.module.css';

type Template = Schemas['ElementTemplate'];

const changesWith = ['definition'] as const;

const columns: readonly Column<Template>[] = [
  {
    title: 'Element template',
    cell: ({ name, templateID }) => (
      <span className={styles.changed}>
        {name}
        <span>{templateID}</span>
      </span>
    ),
  },
  { title: 'Version', width: '6rem', isNumber: true, cell: ({ version }) => version },
  {
    title: 'Applies to',
    width: '20rem',
    cell: ({ appliesTo }) => <span className={styles.text}>{appliesTo.join(', ')}</span>,
  },
  { title: 'Deployed', width: '8rem', cell: ({ createdAt }) => <Time value={createdAt} /> },
];

export default function Templates() {
  const { id: projectID } = useProject();
  return (
    <Page title="Element templates" parent={{ label: 'Deployments', to: '../deployments' }}>
      <Card>
        <PagedList
          noun="element templates"
          queryKey={[projectID, 'element-templates']}
          fetchPage={(query, signal) =>
            unwrap(
              api.GET('/projects/{projectID}/bpmn/element-templates', {
                params: { path: { projectID }, query },
                signal,
              }),
            )
          }
          changesWith={changesWith}
          columns={columns}
          rowKey={({ templateID, version }) => `${version ?? ''} ${templateID}`}
          empty={
            <EmptyState title="No element templates yet" icon="form">
              Deploy a <code>.template.json</code> file with the element templates of Camunda Modeler. They are kept for
              modelers; processes do not need them.
            </EmptyState>
          }
        />
      </Card>
    </Page>
  );
}
