/** One hook and its deliveries. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { Facts } from '../../components/values/facts.js';
import { Identifier } from '../../components/values/identifier.js';
import { ErrorState, Loading } from '../../components/feedback/states.js';
import { Page } from '../../frame/layout/page.js';
import { useProject } from '../../frame/project/project.js';
import { DeleteHookDialog } from './delete-hook.js';
import { Deliveries } from './deliveries.js';
import { EditHookDialog } from './edit-hook.js';
import { EnabledBadge } from './hooks.js';

export default function HookScreen() {
  const { id: projectID } = useProject();
  const { hookID = '' } = useParams();
  const [asked, ask] = useState<'edit' | 'delete'>();
  const { data, error, isError, refetch } = useQuery({
    queryKey: [projectID, 'hooks', 'one', hookID],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/projects/{projectID}/hooks/{hookID}', { params: { path: { projectID, hookID } }, signal })),
  });
  const parent = { label: 'Hooks', to: '../hooks' };
  if (data === undefined)
    return (
      <Page title="Hook" parent={parent}>
        <Card>
          {isError ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading label="Loading the hook" />}
        </Card>
      </Page>
    );
  const close = () => ask(undefined);
  return (
    <Page
      title={data.name}
      parent={parent}
      place={{ name: data.name, about: 'Hook' }}
      marks={<EnabledBadge isEnabled={data.enabled} />}
      actions={
        <>
          <Button icon="edit" onClick={() => ask('edit')}>
            Edit
          </Button>
          <Button kind="danger" onClick={() => ask('delete')}>
            Delete
          </Button>
        </>
      }
    >
      <Facts
        facts={[
          ['Path', <Identifier key="path" value={data.path} longest={100} />],
          ['Signature', data.auth.type],
          ['Secret', data.auth.secret],
          ['Message name', <code key="name">{data.messageName}</code>],
        ]}
      />
      <Card title="Deliveries of the last 7 days">
        <Deliveries hook={data} />
      </Card>
      {asked === 'edit' && <EditHookDialog hook={data} onClose={close} />}
      {asked === 'delete' && <DeleteHookDialog hook={data} onClose={close} />}
    </Page>
  );
}
