/** One instance: its active nodes, history, and data, and what an operator can do about it. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { IncidentBadge, OverTargetBadge, PausedBadge, StatusBadge, TestBadge } from '../../components/values/badge.js';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { ErrorState, Loading, StaleNote } from '../../components/feedback/states.js';
import { Diagram } from '../../features/diagram/diagram.js';
import { DiagramRoom } from '../../features/diagram/diagram-room.js';
import { marksOf } from '../../features/diagram/active-nodes.js';
import { useDefinitionXml, useModel } from '../../features/diagram/use-definition.js';
import { Page } from '../../frame/layout/page.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { useProject } from '../../frame/project/project.js';
import { Actions } from './actions/actions.js';
import { ExampleGuide } from './example-guide.js';
import { instanceQuery } from './instance-query.js';
import type { InstanceState } from './instance-query.js';
import styles from './instance.module.css';
import { ReplayBar } from './replay-bar.js';
import { ActiveNodes } from './active-nodes.js';
import { Summary } from './summary.js';
import { InstanceTabs } from './tabs/tabs.js';
import { Waits } from './waits.js';
import { InstanceContext, toOnPage, useReplay } from './use-instance.js';

export default function Instance() {
  const { workflowID = '' } = useParams();
  const { id: projectID } = useProject();
  const { data, error, isError, dataUpdatedAt, refetch } = useQuery(instanceQuery(projectID, workflowID));
  const parent = { label: 'Instances', to: `/projects/${encodeURIComponent(projectID)}/instances` };
  if (data === undefined)
    return (
      <Page title="Instance" parent={parent}>
        {isError ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : (
          <Loading lines={10} label="Loading the instance" />
        )}
      </Page>
    );
  return (
    <Loaded
      key={workflowID}
      instance={data}
      parent={parent}
      staleNote={isError && <StaleNote error={error} since={dataUpdatedAt} />}
    />
  );
}

function Loaded({
  instance,
  parent,
  staleNote,
}: {
  instance: InstanceState;
  parent: { label: string; to: string };
  staleNote: ReactNode;
}) {
  const { id: projectID } = useProject();
  const address = useAddress();
  const nodeID = address.get('node');
  const at = stepOf(address.get('at'));
  const xml = useDefinitionXml(instance.definitionID);
  const replay = useReplay(instance.workflowID, at);
  const model = useModel(xml.data);
  const isPaused =
    instance.status === 'RUNNING' &&
    (instance.instanceSuspension ?? instance.definitionSuspension ?? instance.parentSuspension) !== undefined;
  const shown = at === undefined ? instance : replay.data;
  const marks = useMemo(
    () => (shown ? marksOf(shown, isPaused && at === undefined) : undefined),
    [shown, isPaused, at],
  );
  const selected = useMemo(() => (nodeID === undefined ? [] : [nodeID]), [nodeID]);
  const choose = (chosen: string | undefined) => address.set({ node: chosen });
  const move = (step: number | undefined) => address.set({ at: step === undefined ? undefined : String(step) });
  return (
    <InstanceContext value={toOnPage(projectID, instance, nodeID, model)}>
      <Page
        title={instance.processName ?? instance.processId}
        parent={parent}
        marks={
          <span className={styles.marks}>
            <StatusBadge status={instance.status} />
            {instance.isTest && <TestBadge />}
            {instance.incidents.length > 0 && <IncidentBadge count={instance.incidents.length} />}
            {isPaused && <PausedBadge />}
            {instance.overTarget && <OverTargetBadge />}
          </span>
        }
        actions={<Actions />}
      >
        {staleNote}
        <ExampleGuide />
        <Summary />
        <Card>
          <DiagramRoom>
            {xml.data && (
              <Diagram
                xml={xml.data}
                marks={marks}
                selected={selected}
                onSelect={choose}
                label={`Diagram of ${instance.processName ?? instance.processId}`}
              />
            )}
            {xml.isPending && <Loading lines={3} label="Loading the diagram" />}
            {xml.isError && <ErrorState error={xml.error} retry={() => void xml.refetch()} />}
          </DiagramRoom>
          <ActiveNodes marks={marks} onSelect={choose}>
            {at === undefined && (
              <Button kind="quiet" icon="play" onClick={() => move(0)}>
                Replay
              </Button>
            )}
          </ActiveNodes>
          {at === undefined && nodeID !== undefined && instance.status === 'RUNNING' && <Waits nodeID={nodeID} />}
          {at !== undefined && <ReplayBar at={at} replay={replay.data} error={replay.error} onMove={move} />}
        </Card>
        <Card>
          <InstanceTabs variablesOfStep={at === undefined ? undefined : replay.data?.variables} />
        </Card>
      </Page>
    </InstanceContext>
  );
}

function stepOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
