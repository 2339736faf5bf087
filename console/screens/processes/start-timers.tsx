/** The timers that start instances of a version, with their actions. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { FormDialog } from '../../components/dialogs/form-dialog.js';
import { asked, Reason } from '../../components/fields/reason.js';
import { Table, type Column } from '../../components/tables/table.js';
import { Time } from '../../components/values/time.js';
import { api, unwrap, type Schemas } from '../../frame/api/client.js';
import { useCommand } from '../../frame/api/use-command.js';
import { useMay, useProject } from '../../frame/project/project.js';

type StartTimer = Schemas['BpmnStartTimer'];
type Action = 'skip' | 'run';

interface Chosen {
  action: Action;
  nodeID: string;
}

export function StartTimers({ definitionID }: { definitionID: string }) {
  const { id: projectID } = useProject();
  const mayEdit = useMay('editor');
  const [chosen, setChosen] = useState<Chosen>();
  const { data } = useQuery({
    queryKey: [projectID, 'definition', definitionID],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/definitions/{definitionID}', {
          params: { path: { projectID, definitionID } },
          signal,
        }),
      ),
  });
  const timers = data?.startTimers ?? [];
  if (timers.length === 0) return null;
  return (
    <Card title="Start timers">
      <Table
        label="Start timers"
        columns={columnsOf(mayEdit ? setChosen : undefined)}
        rows={timers}
        rowKey={({ nodeID, timer }) => `${nodeID} ${timer}`}
      />
      {chosen && <ActionDialog {...chosen} definitionID={definitionID} onClose={() => setChosen(undefined)} />}
    </Card>
  );
}

function columnsOf(onChoose: ((chosen: Chosen) => void) | undefined): Column<StartTimer>[] {
  return [
    { title: 'Start event', cell: ({ nodeID }) => <code>{nodeID}</code> },
    { title: 'Timer', cell: ({ timer }) => <code>{timer}</code> },
    {
      title: 'Missed while suspended',
      cell: ({ skippedTicks, lastSkippedAt }) =>
        lastSkippedAt ? (
          <>
            {skippedTicks}, last <Time value={lastSkippedAt} />
          </>
        ) : (
          'None'
        ),
    },
    ...(onChoose
      ? [
          {
            title: 'Actions',
            cell: ({ nodeID, active }: StartTimer) =>
              active ? (
                <>
                  <Button onClick={() => onChoose({ action: 'run', nodeID })}>Run now</Button>{' '}
                  <Button onClick={() => onChoose({ action: 'skip', nodeID })}>Skip next</Button>
                </>
              ) : (
                'A newer version has replaced this one'
              ),
          },
        ]
      : []),
  ];
}

const texts = {
  run: {
    done: 'Instance started.',
    submit: 'Run now',
    title: (nodeID: string) => `Start an instance at ${nodeID}?`,
    says: 'It starts in your name, as a tick would start it. The next ticks stay as they are.',
  },
  skip: {
    done: 'The next tick is skipped.',
    submit: 'Skip the next tick',
    title: (nodeID: string) => `Skip the next tick of ${nodeID}?`,
    says: 'It starts no instance. If it is skipped already, the tick after it is skipped as well.',
  },
} as const;

function ActionDialog({ action, nodeID, definitionID, onClose }: Chosen & { definitionID: string; onClose(): void }) {
  const { id: projectID } = useProject();
  const [reason, setReason] = useState('');
  const { done, submit, title, says } = texts[action];
  const command = useCommand(
    done,
    async () => {
      const { data, error, response } = await api.POST(
        `/projects/{projectID}/bpmn/definitions/{definitionID}/start-timers/{nodeID}/${action}`,
        { params: { path: { projectID, definitionID, nodeID } }, body: asked(reason) },
      );
      await unwrap(Promise.resolve({ data: data ?? {}, error, response }));
      return undefined;
    },
    onClose,
  );
  return (
    <FormDialog
      title={title(nodeID)}
      submitLabel={submit}
      isBusy={command.isPending}
      error={command.error}
      onSubmit={() => command.mutate(undefined)}
      onClose={onClose}
    >
      <p>{says}</p>
      <Reason value={reason} onChange={setReason} />
    </FormDialog>
  );
}
