/** The settings of a process: which starts it refuses, and how many instances run at once. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../../../frame/api/client.js';
import { Button } from '../../../components/basics/button.js';
import { Card } from '../../../components/basics/card.js';
import { ErrorState } from '../../../components/feedback/states.js';
import { Allowed, useProject } from '../../../frame/project/project.js';
import styles from '../nodes.module.css';
import { SettingsDialog, type ProcessSettings } from './settings-dialog.js';

export function SettingsCard({ processID }: { processID: string }) {
  const { id: projectID } = useProject();
  const [isOpen, setIsOpen] = useState(false);
  const settings = useQuery({
    queryKey: [projectID, 'processes', processID, 'settings'],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/processes/{processID}/settings', {
          params: { path: { projectID, processID } },
          signal,
        }),
      ),
  });
  return (
    <Card
      title="Settings of all versions"
      actions={
        settings.data && (
          <Allowed role="admin">
            <Button icon="edit" onClick={() => setIsOpen(true)}>
              Edit settings
            </Button>
          </Allowed>
        )
      }
    >
      {settings.isError && <ErrorState error={settings.error} retry={() => void settings.refetch()} />}
      {settings.data &&
        sentencesOf(settings.data).map((sentence) => (
          <p key={sentence} className={styles.sentence}>
            {sentence}
          </p>
        ))}
      {settings.data && (
        <p className={styles.note}>Called instances and test instances are never counted or refused.</p>
      )}
      {isOpen && settings.data && (
        <SettingsDialog processID={processID} settings={settings.data} onClose={() => setIsOpen(false)} />
      )}
    </Card>
  );
}

const ofBusinessIds: Readonly<Record<ProcessSettings['uniqueBusinessId'], string>> = {
  NONE: 'Business ids need not be unique.',
  RUNNING: 'Business ids are unique among running instances.',
  EVER: 'Business ids are unique among all instances, ended ones included.',
};

function sentencesOf({
  uniqueBusinessId,
  concurrentInstances,
  concurrencyKey,
  whenFull,
  maxQueued,
}: ProcessSettings): string[] {
  const first = ofBusinessIds[uniqueBusinessId];
  if (concurrentInstances === undefined) return [first, 'The number of running instances is not limited.'];
  const most = concurrentInstances.toLocaleString('en');
  const key = concurrencyKey === undefined ? '' : ` for each value of ${concurrencyKey}`;
  const queued = maxQueued.toLocaleString('en');
  return [
    first,
    `At most ${most} ${concurrentInstances === 1 ? 'instance runs' : 'instances run'} at once${key}.`,
    whenFull === 'QUEUE'
      ? `Further instances are queued, at most ${queued}.`
      : `Further starts are refused. Starts by events are queued, at most ${queued}.`,
  ];
}
