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
import { backtestQuery, comparedWith, outcomes, type Backtest } from '../../features/backtests/backtest-query.js';
import { flowChanges } from '../../features/backtests/flow-changes.js';
import { useCandidateXml } from '../../features/backtests/use-candidate.js';
import { Diagram } from '../../features/diagram/diagram.js';
import { DiagramRoom } from '../../features/diagram/diagram-room.js';
import type { NodeMarks } from '../../features/diagram/node-marks.js';
import { useModel } from '../../features/diagram/use-definition.js';
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
      <Report backtest={data} />
    </Page>
  );
}

function Report({ backtest }: { backtest: Backtest }) {
  const { data: xml } = useCandidateXml(backtest);
  const { names } = useModel(xml);
  return (
    <>
      <Card>
        <div className={styles.progress}>
          <Progress backtest={backtest} />
          <Facts facts={factsOf(backtest)} />
        </div>
      </Card>
      <Paths backtest={backtest} xml={xml} />
      <Groups groups={backtest.groups} />
      <Items backtest={backtest} names={names} />
    </>
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
              <span className={styles.hidden}>
                {counts[count] === 1 ? ' instance' : ' instances'}: {word}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

function factsOf(backtest: Backtest) {
  const { createdBy, createdAt, completedAt, reason } = backtest;
  return [
    ['Compared with', <ComparedWith key="version" backtest={backtest} />],
    ['Created by', createdBy],
    ['Created', <Time key="created" value={createdAt} />],
    ['Ended', completedAt && <Time key="ended" value={completedAt} />],
    ['Reason', reason],
  ] as const;
}

/** A deleted version or draft has no page. */
function ComparedWith({ backtest }: { backtest: Backtest }) {
  const { definitionID, version, resourceID, draftName, processID } = backtest;
  const name = comparedWith(backtest);
  if (version !== undefined)
    return <Link to={`../processes/${encodeURIComponent(processID)}?version=${definitionID}`}>{name}</Link>;
  return draftName === undefined ? name : <Link to={`../deploy?resource=${resourceID}`}>{name}</Link>;
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

/** A draft may have changed: then flows that it no longer has have no number. */
function Paths({ backtest, xml }: { backtest: Backtest; xml: string | undefined }) {
  const { processID, flows, groups } = backtest;
  const address = useAddress();
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
          title:
            count === 1 ? '1 instance differs here first' : `${count.toLocaleString('en')} instances differ here first`,
          tone: 'worse',
        },
      },
    ]),
  );
}
