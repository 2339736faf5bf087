/** One instance: its active nodes, history, and data, and what an operator can do about it. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import {
  IncidentBadge,
  OverTargetBadge,
  PausedBadge,
  QueuedBadge,
  StatusBadge,
  TestBadge,
} from '../../components/values/badge.js';
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
import { Choices } from './expressions/choices.js';
import { Watches } from './expressions/watches.js';
import { useRefreshAtEnd } from './refresh-at-end.js';
import { ReplayBar } from './replay-bar.js';
import { ActiveNodes } from './active-nodes.js';
import { Summary } from './summary.js';
import { InstanceTabs } from './tabs/tabs.js';
import { Waits } from './waits.js';
import { InstanceContext, toOnPage, useInstance, useReplay } from './use-instance.js';

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

interface LoadedProps {
  instance: InstanceState;
  parent: { label: string; to: string };
  staleNote: ReactNode;
}

function Loaded({ instance, parent, staleNote }: LoadedProps) {
  useRefreshAtEnd(instance);
  const { id: projectID } = useProject();
  const address = useAddress();
  const nodeID = address.get('node');
  const at = stepOf(address.get('at'));
  const xml = useDefinitionXml(instance.definitionID);
  const replay = useReplay(instance.workflowID, at);
  const model = useModel(xml.data);
  return (
    <InstanceContext value={toOnPage(projectID, instance, nodeID, model)}>
      <Page
        title={instance.processName ?? instance.processId}
        parent={parent}
        place={{
          name: instance.businessId ?? instance.workflowID,
          about: instance.processName ?? instance.processId,
        }}
        marks={<InstanceBadges instance={instance} />}
        actions={<Actions />}
      >
        {staleNote}
        <ExampleGuide />
        <Summary />
        <Card>
          <InstanceDiagram
            xml={xml}
            at={at}
            replay={replay}
            nodeID={nodeID}
            onSelect={(chosen) => address.set({ node: chosen })}
            onMove={(step) => address.set({ at: step === undefined ? undefined : String(step) })}
          />
        </Card>
        <Card>
          <InstanceTabs
            variablesOfStep={at === undefined ? undefined : replay.data?.variables}
            timeOfStep={at === undefined ? undefined : (replay.data?.fact?.time ?? instance.createdAt)}
          />
        </Card>
      </Page>
    </InstanceContext>
  );
}

function InstanceBadges({ instance }: { instance: InstanceState }) {
  return (
    <span className={styles.marks}>
      <StatusBadge status={instance.status} />
      {instance.queued && <QueuedBadge />}
      {instance.isTest && <TestBadge />}
      {instance.incidents.length > 0 && <IncidentBadge count={instance.incidents.length} />}
      {isPaused(instance) && <PausedBadge />}
      {instance.overTarget && <OverTargetBadge />}
    </span>
  );
}

interface InstanceDiagramProps {
  xml: ReturnType<typeof useDefinitionXml>;
  /** The step to show; undefined for the current state. */
  at: number | undefined;
  replay: ReturnType<typeof useReplay>;
  nodeID: string | undefined;
  onSelect(nodeID: string | undefined): void;
  onMove(step: number | undefined): void;
}

/** The diagram with the tokens of the instance, now or at a step of its replay. */
function InstanceDiagram({ xml, at, replay, nodeID, onSelect, onMove }: InstanceDiagramProps) {
  const { instance } = useInstance();
  const shown = at === undefined ? instance : replay.data;
  const showsPause = isPaused(instance) && at === undefined;
  const marks = useMemo(() => (shown ? marksOf(shown, showsPause) : undefined), [shown, showsPause]);
  const selected = useMemo(() => (nodeID === undefined ? [] : [nodeID]), [nodeID]);
  return (
    <>
      <DiagramRoom>
        {xml.data && (
          <Diagram
            xml={xml.data}
            marks={marks}
            selected={selected}
            onSelect={onSelect}
            label={`Diagram of ${instance.processName ?? instance.processId}`}
          />
        )}
        {xml.isPending && <Loading lines={3} label="Loading the diagram" />}
        {xml.isError && <ErrorState error={xml.error} retry={() => void xml.refetch()} />}
      </DiagramRoom>
      <ActiveNodes marks={marks} onSelect={onSelect}>
        {at === undefined && (
          <Button kind="quiet" icon="play" onClick={() => onMove(0)}>
            Replay
          </Button>
        )}
      </ActiveNodes>
      {at === undefined && nodeID !== undefined && instance.status === 'RUNNING' && <Waits nodeID={nodeID} />}
      {at !== undefined && <ReplayBar at={at} replay={replay.data} error={replay.error} onMove={onMove} />}
      {nodeID !== undefined && (
        <Choices nodeID={nodeID} replay={at === undefined ? undefined : replay.data} onMove={onMove} />
      )}
      {at !== undefined && replay.data && <Watches at={replay.data.at} />}
    </>
  );
}

function isPaused({ status, instanceSuspension, definitionSuspension, parentSuspension }: InstanceState): boolean {
  return status === 'RUNNING' && (instanceSuspension ?? definitionSuspension ?? parentSuspension) !== undefined;
}

function stepOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
