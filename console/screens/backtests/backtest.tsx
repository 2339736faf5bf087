/** One backtest: its progress, where paths part on the diagram, the causes, and the instances behind each number. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link, useParams } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import { Badge, StatusBadge } from '../../components/values/badge.js';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { Facts } from '../../components/values/facts.js';
import { ErrorState, Loading, sentenceOf, StaleNote } from '../../components/feedback/states.js';
import { Time } from '../../components/values/time.js';
import { useToasts } from '../../components/feedback/toast.js';
import { backtestQuery, outcomes, type Backtest } from '../../features/backtests/backtest-query.js';
import { flowChanges } from '../../features/backtests/flow-changes.js';
import { Diagram } from '../../features/diagram/diagram.js';
import { DiagramRoom } from '../../features/diagram/diagram-room.js';
import type { NodeMarks } from '../../features/diagram/node-marks.js';
import { useDefinitionXml } from '../../features/diagram/use-definition.js';
import { Page } from '../../frame/layout/page.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { Allowed, useProject } from '../../frame/project/project.js';
import styles from './backtests.module.css';
import { Groups } from './groups.js';
import { Items } from './items.js';

export default function BacktestScreen() {
  const { id: projectID } = useProject();
  const { backtestID = '' } = useParams();
  const { data, error, isError, dataUpdatedAt, refetch } = useQuery(backtestQuery(projectID, backtestID));
  const parent = { label: 'Backtests', to: '../backtests' };
  if (data === undefined)
    return (
      <Page title="Backtest" parent={parent}>
        <Card>
          {isError ? (
            <ErrorState error={error} retry={() => void refetch()} />
          ) : (
            <Loading label="Loading the backtest" />
          )}
        </Card>
      </Page>
    );
  return (
    <Page
      title={`Backtest of ${data.processID}`}
      parent={parent}
      place={{ name: data.processID, about: 'Backtest' }}
      marks={<StatusBadge status={data.status} />}
      actions={<Cancel backtest={data} />}
    >
      {isError && <StaleNote error={error} since={dataUpdatedAt} />}
      <Card>
        <div className={styles.progress}>
          <Progress backtest={data} />
          <Facts facts={factsOf(data)} />
        </div>
      </Card>
      <Paths backtest={data} />
      <Groups groups={data.groups} />
      <Items backtest={data} />
    </Page>
  );
}

/** Each number leads to its instances. */
function Progress({ backtest: { done, total, counts } }: { backtest: Backtest }) {
  return (
    <>
      <progress aria-label="Compared instances" max={Math.max(1, total)} value={total === 0 ? 1 : done} />
      <p role="status">
        {done.toLocaleString('en')} of {total.toLocaleString('en')} instances compared.
      </p>
      <ul className={styles.counts} aria-label="Outcomes">
        {outcomes.map(({ outcome, count, word, tone, icon }) => (
          <li key={outcome}>
            <Badge tone={tone} icon={icon}>
              {word}
            </Badge>
            <Link to={`?outcome=${outcome}`}>
              {counts[count].toLocaleString('en')}
              <span className={styles.hidden}> instances: {word}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

function factsOf({ createdBy, createdAt, completedAt, reason, definitionID, resourceID, processID }: Backtest) {
  const version = definitionID && (
    <Link key="version" to={`../processes/${encodeURIComponent(processID)}?version=${definitionID}`}>
      Version of {processID}
    </Link>
  );
  const draft = resourceID && (
    <Link key="draft" to={`../deploy?resource=${resourceID}`}>
      Draft
    </Link>
  );
  return [
    ['Compared with', version ?? draft],
    ['Created by', createdBy],
    ['Created', <Time key="created" value={createdAt} />],
    ['Ended', completedAt && <Time key="ended" value={completedAt} />],
    ['Reason', reason],
  ] as const;
}

function Cancel({ backtest: { backtestID, status } }: { backtest: Backtest }) {
  const { id: projectID } = useProject();
  const toasts = useToasts();
  const cancel = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/projects/{projectID}/bpmn/backtests/{backtestID}/cancel', {
          params: { path: { projectID, backtestID } },
        }),
      ),
    onError: (error) => toasts.failed(sentenceOf(error)),
  });
  if (status !== 'RUNNING') return null;
  return (
    <Allowed role="editor">
      <Button kind="danger" isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
        Cancel the backtest
      </Button>
    </Allowed>
  );
}

/** A draft may have changed, or be gone: then flows that it no longer has have no number. */
function Paths({ backtest: { definitionID, resourceID, processID, flows, groups } }: { backtest: Backtest }) {
  const { id: projectID } = useProject();
  const address = useAddress();
  const ofVersion = useDefinitionXml(definitionID);
  const ofDraft = useQuery({
    queryKey: [projectID, 'resource', resourceID, 'xml of a backtest'],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/resources/{resourceID}', {
          params: { path: { projectID, resourceID: resourceID! } },
          signal,
        }),
      ),
    enabled: resourceID !== undefined,
    retry: false,
  });
  const xml = ofVersion.data ?? ofDraft.data?.xml;
  const labels = useMemo(() => flowChanges(flows), [flows]);
  const marks = useMemo(() => differencesByNode(groups), [groups]);
  if (xml === undefined) return null;
  return (
    <Card title="Where paths part">
      <DiagramRoom>
        <Diagram
          xml={xml}
          marks={marks}
          flowLabels={labels}
          onSelect={(nodeID) =>
            nodeID !== undefined && address.set({ node: nodeID, outcome: undefined, page: undefined })
          }
          label={`Diagram of ${processID} with the flows before and after`}
        />
      </DiagramRoom>
      <p className={styles.legend}>
        Numbers on flows: how often they were taken before → by this version. <span className={styles.more}>More</span>,{' '}
        <span className={styles.less}>less</span>. Numbers at nodes: instances whose first difference is there.
      </p>
    </Card>
  );
}

function differencesByNode(groups: Backtest['groups']): Map<string, NodeMarks> {
  const counts = new Map<string, number>();
  for (const { nodeID, count } of groups)
    if (nodeID !== undefined) counts.set(nodeID, (counts.get(nodeID) ?? 0) + count);
  return new Map(
    [...counts].map(([nodeID, count]) => [
      nodeID,
      {
        tokens: 0,
        incidents: 0,
        isPaused: true,
        label: {
          text: count.toLocaleString('en'),
          title: `${count.toLocaleString('en')} instances differ here first`,
          tone: 'worse',
        },
      },
    ]),
  );
}
