/** The hooks of the project: addresses at which other systems publish messages. */
import { useState } from 'react';
import { Link } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import { Badge } from '../../components/values/badge.js';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { Identifier } from '../../components/values/identifier.js';
import { PagedList } from '../../components/tables/paged-list.js';
import { EmptyState } from '../../components/feedback/states.js';
import type { Column } from '../../components/tables/table.js';
import { IntegrationLinks } from '../../features/integrations/integration-links.js';
import { Page } from '../../frame/layout/page.js';
import { useProject } from '../../frame/project/project.js';
import { EditHookDialog, type Hook } from './edit-hook.js';

const columns: readonly Column<Hook>[] = [
  { title: 'Name', cell: ({ hookID, name }) => <Link to={hookID}>{name}</Link> },
  { title: 'Path', width: '28rem', cell: ({ path }) => <Identifier value={path} longest={48} /> },
  { title: 'Signature', width: '8rem', cell: ({ auth }) => auth.type },
  { title: 'Deliveries', width: '8rem', cell: ({ enabled }) => <EnabledBadge isEnabled={enabled} /> },
];

export default function Hooks() {
  const { id: projectID } = useProject();
  const [isCreating, setIsCreating] = useState(false);
  return (
    <Page
      title="Hooks"
      actions={
        <Button kind="primary" icon="plus" onClick={() => setIsCreating(true)}>
          Create a hook
        </Button>
      }
    >
      <IntegrationLinks />
      <Card>
        <PagedList
          noun="hooks"
          queryKey={[projectID, 'hooks']}
          fetchPage={(query, signal) =>
            unwrap(api.GET('/projects/{projectID}/hooks', { params: { path: { projectID }, query }, signal }))
          }
          columns={columns}
          rowKey={({ hookID }) => hookID}
          empty={
            <EmptyState title="No hooks yet" icon="message">
              Create a hook, so that another system such as GitHub or Stripe publishes messages.
            </EmptyState>
          }
        />
      </Card>
      {isCreating && <EditHookDialog onClose={() => setIsCreating(false)} />}
    </Page>
  );
}

export function EnabledBadge({ isEnabled }: { isEnabled: boolean }) {
  return isEnabled ? (
    <Badge tone="green" icon="check">
      Accepted
    </Badge>
  ) : (
    <Badge tone="grey" icon="ban">
      Refused
    </Badge>
  );
}
