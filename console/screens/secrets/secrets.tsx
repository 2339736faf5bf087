/** The names of the project's secrets, and the hosts that may receive them. The API never returns a value. */
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { Card } from '../../components/basics/card.js';
import { EmptyState } from '../../components/feedback/states.js';
import { PagedList } from '../../components/tables/paged-list.js';
import type { Column } from '../../components/tables/table.js';
import { Identifier } from '../../components/values/identifier.js';
import { IntegrationLinks } from '../../features/integrations/integration-links.js';
import { Page } from '../../frame/layout/page.js';
import { useProject } from '../../frame/project/project.js';
import styles from './secrets.module.css';

type Secret = Schemas['Secret'];

const columns: readonly Column<Secret>[] = [
  { title: 'Name', width: '24rem', cell: ({ name }) => <Identifier value={name} /> },
  { title: 'Hosts', cell: ({ hosts }) => <Hosts hosts={hosts} /> },
];

export default function Secrets() {
  const { id: projectID } = useProject();
  return (
    <Page title="Secrets">
      <IntegrationLinks />
      <p className={styles.about}>
        Hooks, event subscriptions, and HTTP tasks name a secret. Its value is part of the configuration of the host: it
        can be neither read nor changed here. A task can send a secret only to its hosts.
      </p>
      <Card>
        <PagedList
          noun="secrets"
          queryKey={[projectID, 'secrets']}
          fetchPage={(query, signal) =>
            unwrap(api.GET('/projects/{projectID}/secrets', { params: { path: { projectID }, query }, signal }))
          }
          columns={columns}
          rowKey={({ name }) => name}
          empty={
            <EmptyState title="No secrets" icon="key">
              An operator of the host adds a secret as a file with its name, in the folder of this project below{' '}
              <code>SECRETS_PATH</code>.
            </EmptyState>
          }
        />
      </Card>
    </Page>
  );
}

function Hosts({ hosts }: { hosts: readonly string[] }) {
  if (hosts.length === 0) return <span className={styles.none}>None: only for signatures</span>;
  return (
    <span className={styles.hosts}>
      {hosts.map((host) => (
        <code key={host}>{host}</code>
      ))}
    </span>
  );
}
