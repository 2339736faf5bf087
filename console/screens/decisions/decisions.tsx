/** The decisions of a project, each in the newest version of its file. */
import { Link } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { Card } from '../../components/basics/card.js';
import { PagedList } from '../../components/tables/paged-list.js';
import { DebouncedText } from '../../components/fields/debounced-text.js';
import { EmptyState } from '../../components/feedback/states.js';
import type { Column } from '../../components/tables/table.js';
import { Page } from '../../frame/layout/page.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { useProject } from '../../frame/project/project.js';
import styles from './decisions.module.css';

type Decision = Schemas['DecisionSummary'];

const columns: readonly Column<Decision>[] = [
  {
    title: 'Decision',
    cell: ({ decisionName, decisionID, definitionsID }) => (
      <Link to={encodeURIComponent(definitionsID)}>{decisionName || decisionID}</Link>
    ),
  },
  { title: 'File', cell: ({ definitionName }) => definitionName },
  { title: 'Version', width: '6rem', isNumber: true, cell: ({ latestVersion }) => latestVersion },
  {
    title: 'Inputs',
    cell: ({ inputFields }) => (
      <code className={styles.inputs}>
        {inputFields.map(({ name, typeRef }) => (typeRef ? `${name}: ${typeRef}` : name)).join(', ')}
      </code>
    ),
  },
];

export default function Decisions() {
  const { id: projectID } = useProject();
  const address = useAddress();
  const q = address.get('q');
  return (
    <Page title="Decisions">
      <search className={styles.filter} aria-label="Filters">
        <DebouncedText
          label="Name"
          placeholder="Contains"
          value={q}
          onSettle={(text) => address.set({ q: text, page: undefined })}
        />
      </search>
      <Card>
        <PagedList
          noun="decisions"
          queryKey={[projectID, 'decisions', q]}
          fetchPage={(query, signal) =>
            unwrap(
              api.GET('/projects/{projectID}/dmn/decisions', {
                params: { path: { projectID }, query: { ...query, q } },
                signal,
              }),
            )
          }
          columns={columns}
          rowKey={({ definitionsID, decisionID }) => `${definitionsID} ${decisionID}`}
          empty={
            <EmptyState title={q ? 'No decision matches' : 'No decision yet'} icon="decision">
              {q ? 'Try a shorter search term.' : 'Deploy a DMN file, and its decisions appear here.'}
            </EmptyState>
          }
        />
      </Card>
    </Page>
  );
}
