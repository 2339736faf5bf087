/** The waits of the selected node, with links to the pages that resolve them. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { OverTargetBadge } from '../../components/values/badge.js';
import { Button, ButtonLink } from '../../components/basics/button.js';
import { sentenceOf } from '../../components/feedback/states.js';
import { Time } from '../../components/values/time.js';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { useMay } from '../../frame/project/project.js';
import { ExecutionLink } from '../../features/execution.js';
import { heldByText } from '../../features/held-by.js';
import { listenerText } from '../../features/listener-text.js';
import { TimerActions } from './timer-actions.js';
import { useInstance } from './use-instance.js';
import styles from './waits.module.css';

type Wait = Schemas['BpmnInstanceWait'];

const pageSize = 100;

export function Waits({ nodeID }: { nodeID: string }) {
  const { projectID, instance, refetchInterval, nameOf } = useInstance();
  const { workflowID } = instance;
  const { data, error, isError } = useQuery({
    queryKey: [projectID, 'instance', workflowID, 'waits'],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/instances/{workflowID}/waits', {
          params: { path: { projectID, workflowID }, query: { pageSize } },
          signal,
        }),
      ),
    refetchInterval,
  });
  if (data === undefined) return isError ? <p className={styles.none}>{sentenceOf(error)}</p> : null;
  const here = data.data.filter((wait) => wait.nodeID === nodeID);
  const isPart = data.pagination.total > data.data.length;
  return (
    <section className={styles.waits} aria-label={`What ${nameOf(nodeID)} waits for`}>
      {here.map((wait, index) => (
        <div key={index} className={styles.wait}>
          <p>
            {sentences[wait.kind](wait)} <span className={styles.since}>since</span> <Time value={wait.since} />{' '}
            {wait.overTarget && <OverTargetBadge />}
          </p>
          <Resolution wait={wait} />
        </div>
      ))}
      {here.length === 0 && (
        <p className={styles.none}>
          {isPart ? `Not among the ${pageSize} longest waits of this instance.` : 'Waits for nothing at present.'}
        </p>
      )}
    </section>
  );
}

const sentences: { [K in Wait['kind']]: (wait: Wait) => ReactNode } = {
  begin: ({ heldBy }) =>
    heldBy === undefined ? 'Begins when the instance continues,' : 'Begins when its process has a place for it,',
  job: ({ taskType, listener, lockedBy, retries, heldBy, execution }) =>
    execution !== undefined ? (
      <>
        Waits for <code>{taskType}</code>, which runs on Temporal as <ExecutionLink execution={execution} />,
      </>
    ) : heldBy === undefined ? (
      <>
        Waits for {listener ? `its ${listenerText(listener)}, a job` : 'a job worker'} of type <code>{taskType}</code>:{' '}
        {lockedBy === undefined ? 'no job worker has the job' : `${lockedBy} has the job`}, {retries} retries left,
      </>
    ) : (
      <>
        {heldByText[heldBy]} of <code>{taskType}</code>,
      </>
    ),
  userTask: ({ assignee }) => (
    <>Waits for a person: {assignee === undefined ? 'not assigned' : `assigned to ${assignee}`},</>
  ),
  timer: ({ dueAt, repeats }) => (
    <>
      Waits for a timer due {dueAt && <Time value={dueAt} isExact />}
      {repeats !== undefined && `, ${repeats} ticks left,`}
    </>
  ),
  message: (wait) => <Subscription what="message" wait={wait} />,
  signal: (wait) => <Subscription what="signal" wait={wait} />,
  condition: ({ expression }) => (
    <>Waits until {expression === undefined ? 'a condition' : <code>{expression}</code>} is true</>
  ),
  call: ({ workflowID }) => <>Waits for the end of instance {workflowID}</>,
  decision: () => 'Waits for the result of a decision',
  join: ({ missingFlows = [] }) => (
    <>
      Waits for tokens on <code>{missingFlows.join(', ') || 'its incoming flows'}</code>
    </>
  ),
  adHoc: () => 'Waits for a request that starts an element inside',
  incident: ({ errorType }) => <>Waits for the resolution of an incident ({errorType})</>,
};

function Subscription({ what, wait }: { what: string; wait: Wait }) {
  const { name, correlationKeys, keptUnmatched = 0 } = wait;
  return (
    <>
      Waits for the {what} <code>{name}</code>
      {correlationKeys !== undefined && (
        <>
          {' '}
          with the key <code>{JSON.stringify(correlationKeys)}</code>
        </>
      )}
      {keptUnmatched > 0 && `; ${keptUnmatched} kept with another key`}
    </>
  );
}

/** A link to the page that can resolve the wait, if the role permits. */
function Resolution({ wait: { kind, name, workflowID, timerID, dueAt } }: { wait: Wait }) {
  const address = useAddress();
  const mayExecute = useMay('executor');
  const mayEdit = useMay('editor');
  const open = (tab: string, label: string) => (
    <Button onClick={() => address.set({ tab, page: undefined })}>{label}</Button>
  );
  switch (kind) {
    case 'job':
      return open('jobs', 'Open its job');
    case 'userTask':
      return mayExecute ? open('tasks', 'Open its task') : null;
    case 'incident':
      return open('incidents', mayEdit ? 'Resolve the incident' : 'Open the incident');
    case 'message':
    case 'signal':
      return <ButtonLink to={`../messages?name=${encodeURIComponent(name ?? '')}`}>Messages of this name</ButtonLink>;
    case 'call':
      return <Link to={`../instances/${encodeURIComponent(workflowID ?? '')}`}>Open the called instance</Link>;
    case 'timer':
      return mayEdit && timerID && dueAt ? <TimerActions timerID={timerID} dueAt={dueAt} /> : null;
    case 'condition':
      return mayEdit ? open('variables', 'See the variables') : null;
    default:
      return null;
  }
}
