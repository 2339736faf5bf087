/** One instance of a backtest: the recorded run and that of the version next to each other, moved by one slider. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useParams } from 'react-router';
import { ButtonLink } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { Banner } from '../../components/feedback/banner.js';
import { ErrorState, Loading } from '../../components/feedback/states.js';
import { Transport } from '../../components/fields/transport.js';
import { Facts } from '../../components/values/facts.js';
import { formatDuration } from '../../components/values/format-duration.js';
import { Identifier } from '../../components/values/identifier.js';
import { backtestQuery, comparedWith, type Backtest } from '../../features/backtests/backtest-query.js';
import { differenceAddress } from '../../features/backtests/candidate-address.js';
import { RunSide } from '../../features/backtests/run-side.js';
import sides from '../../features/backtests/run-side.module.css';
import { openingStep, stepsOf } from '../../features/backtests/run-steps.js';
import { useCandidateXml } from '../../features/backtests/use-candidate.js';
import { useInstanceDefinition } from '../../features/backtests/use-instance-definition.js';
import { useDefinitionXml, useModel } from '../../features/diagram/use-definition.js';
import { playOf } from '../../features/play/addresses.js';
import { api, unwrap, type Schemas } from '../../frame/api/client.js';
import { Page } from '../../frame/layout/page.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { useMay, useProject } from '../../frame/project/project.js';
import styles from './backtests.module.css';
import { OutcomeBadge } from './groups.js';

type Runs = Schemas['BpmnBacktestRuns'];

export default function RunsScreen() {
  const { id: projectID } = useProject();
  const { backtestID = '', workflowID = '' } = useParams();
  const backtest = useQuery(backtestQuery(projectID, backtestID));
  const runs = useQuery({
    queryKey: [projectID, 'backtest', backtestID, 'item', workflowID],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/backtests/{backtestID}/items/{workflowID}', {
          params: { path: { projectID, backtestID, workflowID } },
          signal,
        }),
      ),
    // Neither the version nor the instance changes, and the host plays the instance for each answer.
    staleTime: Infinity,
    retry: false,
  });
  const failed = [backtest, runs].find(({ isError }) => isError);
  return (
    <Page
      title="Compare runs"
      parent={{
        label: `Backtest${backtest.data ? ` of ${backtest.data.processID}` : ''}`,
        to: `/projects/${encodeURIComponent(projectID)}/backtests/${encodeURIComponent(backtestID)}`,
      }}
      marks={runs.data && <OutcomeBadge outcome={runs.data.item.outcome} />}
    >
      {backtest.data && runs.data ? (
        <Compared backtest={backtest.data} runs={runs.data} />
      ) : (
        <Card>
          {failed ? (
            <ErrorState error={failed.error} retry={() => void failed.refetch()} />
          ) : (
            <Loading label="Playing the instance" />
          )}
        </Card>
      )}
    </Page>
  );
}

function Compared({ backtest, runs }: { backtest: Backtest; runs: Runs }) {
  const recorded = useDefinitionXml(useInstanceDefinition(runs.item.workflowID));
  const candidate = useCandidateXml(backtest);
  const names = useNames(recorded.data, candidate.data);
  const { item, before, after, problem } = runs;
  if (before === undefined || after === undefined)
    return (
      <Banner tone="amber" icon="alert" title="The runs cannot be shown.">
        {problem ?? item.reason}
      </Banner>
    );
  return (
    <>
      <Difference item={item} nameOf={names} />
      <SideBySide
        backtest={backtest}
        item={item}
        before={before}
        after={after}
        recordedXml={recorded.data}
        candidateXml={candidate.data}
        nameOf={names}
      />
    </>
  );
}

interface SideBySideProps {
  backtest: Backtest;
  item: Runs['item'];
  before: NonNullable<Runs['before']>;
  after: NonNullable<Runs['after']>;
  recordedXml: string | undefined;
  candidateXml: string | undefined;
  nameOf(nodeID: string): string;
}

function SideBySide({ backtest, item, before, after, recordedXml, candidateXml, nameOf }: SideBySideProps) {
  const { id: projectID } = useProject();
  const address = useAddress();
  const steps = useMemo(() => stepsOf(before.visits, after.visits), [before, after]);
  const opening = useMemo(
    () => openingStep(steps, item.first, { before: before.visits, after: after.visits }),
    [steps, item, before, after],
  );
  const last = steps.length - 1;
  const at = stepIn(address.get('step'), last) ?? opening;
  const { first } = item;
  const fact = before.visits[steps[at]!.before - 1]?.fact;
  const subject = differenceAddress(backtest, item.workflowID, useMay('editor'));
  return (
    <Card>
      <Transport label="Both runs" at={at} last={last} onMove={(step) => address.set({ step: String(step) })} />
      <div className={sides.sides}>
        <RunSide
          title="Recorded"
          label="Diagram of the recorded run"
          run={before}
          begun={steps[at]!.before}
          change="less"
          xml={recordedXml}
          first={first}
          nameOf={nameOf}
          link={
            <ButtonLink
              kind="quiet"
              to={`/projects/${encodeURIComponent(projectID)}/instances/${encodeURIComponent(item.workflowID)}${fact === undefined ? '' : `?at=${fact}`}`}
            >
              Replay the instance here
            </ButtonLink>
          }
        />
        <RunSide
          title={`This version: ${comparedWith(backtest)}`}
          label="Diagram of the run of this version"
          run={after}
          begun={steps[at]!.after}
          change="more"
          xml={candidateXml}
          first={first}
          nameOf={nameOf}
          link={
            subject && (
              <ButtonLink kind="quiet" icon="play" to={playOf(projectID, subject)}>
                Play this version
              </ButtonLink>
            )
          }
        />
      </div>
      <p className={styles.legend}>
        Numbers at nodes: tokens at this step. Tinted nodes were visited, thick flows were taken:{' '}
        <span className={styles.less}>only in the recorded run</span>,{' '}
        <span className={styles.more}>only by this version</span>.
      </p>
    </Card>
  );
}

function Difference({ item, nameOf }: { item: Runs['item']; nameOf(nodeID: string): string }) {
  const { workflowID, first, reason, variables, durationBeforeMs, durationMs } = item;
  const list = (ids: readonly string[] | undefined) => ids && (ids.map(nameOf).join(', ') || 'nothing');
  return (
    <Card>
      <div className={styles.progress}>
        {reason !== undefined && <p className={styles.why}>{reason}.</p>}
        <Facts
          facts={[
            ['Instance', <Identifier key="instance" value={workflowID} longest={40} />],
            ['First difference', first && nameWithID(first.nodeID, nameOf)],
            ['Next in the recorded run', list(first?.expected)],
            ['Next in this version', list(first?.found)],
            ['Other variables', variables?.join(', ')],
            ['Recorded duration', durationBeforeMs === undefined ? undefined : formatDuration(durationBeforeMs)],
            ['Duration in this version', durationMs === undefined ? undefined : formatDuration(durationMs)],
          ]}
        />
      </div>
    </Card>
  );
}

function nameWithID(nodeID: string, nameOf: (nodeID: string) => string): string {
  const name = nameOf(nodeID);
  return name === nodeID ? nodeID : `${name} (${nodeID})`;
}

/** Names of this version, or those of the recorded one for nodes that it no longer has. */
function useNames(recordedXml: string | undefined, candidateXml: string | undefined): (nodeID: string) => string {
  const recorded = useModel(recordedXml);
  const candidate = useModel(candidateXml);
  return (nodeID) => candidate.names.get(nodeID) ?? recorded.names.get(nodeID) ?? nodeID;
}

/** An address can have any text as its step. */
function stepIn(text: string | undefined, last: number): number | undefined {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Math.min(Number(text), last) : undefined;
}
