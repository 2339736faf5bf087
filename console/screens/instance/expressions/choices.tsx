/** Why a flow was taken or not: the conditions of the selected node with their values at a step of the replay. */
import { useMutation } from '@tanstack/react-query';
import { Button } from '../../../components/basics/button.js';
import { sentenceOf } from '../../../components/feedback/states.js';
import type { Choice } from '../../../features/diagram/model.js';
import { api, unwrap, type Schemas } from '../../../frame/api/client.js';
import { useInstance } from '../use-instance.js';
import styles from './expressions.module.css';
import { ExpressionValue } from './value.js';

interface ChoicesProps {
  nodeID: string;
  /** The step that is shown; undefined for the present. */
  replay: Schemas['BpmnInstanceReplay'] | undefined;
  onMove(step: number): void;
}

/** Nothing for a node without conditions. */
export function Choices({ nodeID, replay, onMove }: ChoicesProps) {
  const { model, nameOf } = useInstance();
  const choices = model.choices.get(nodeID);
  if (choices === undefined) return null;
  return (
    <section className={styles.expressions} aria-label={`Conditions of ${nameOf(nodeID)}`}>
      <h3>Conditions of {nameOf(nodeID)}</h3>
      <dl>
        {choices.map((choice) => (
          <ChoiceRow key={choice.flowID} choice={choice} nodeID={nodeID} replay={replay} />
        ))}
      </dl>
      {replay === undefined && <GoToLastTime nodeID={nodeID} onMove={onMove} />}
    </section>
  );
}

function ChoiceRow({ choice, nodeID, replay }: { choice: Choice } & Pick<ChoicesProps, 'nodeID' | 'replay'>) {
  const { nameOf } = useInstance();
  const { condition, target, flowID, isDefault } = choice;
  const name = nameOf(flowID);
  return (
    <>
      <dt>
        {name === flowID ? `to ${nameOf(target)}` : name}
        {isDefault && <span className={styles.note}> (default)</span>}
      </dt>
      <dd>
        {condition === undefined ? <span className={styles.note}>no condition</span> : <code>{condition}</code>}
        {replay !== undefined && isFeel(condition) && (
          <>
            {' '}
            <span aria-hidden="true">→</span>{' '}
            <ExpressionValue expression={condition} at={replay.at} scopeID={scopeOf(replay, nodeID)} />
          </>
        )}
      </dd>
    </>
  );
}

/** Others were translated when the file was deployed. */
function isFeel(condition: string | undefined): condition is string {
  return condition !== undefined && !/^[#$]\{/.test(condition);
}

/** Undefined for the process, and when the node is not active at the step. */
function scopeOf({ activeScopes = [] }: Schemas['BpmnInstanceReplay'], nodeID: string): string | undefined {
  return activeScopes.find(({ activeNodes }) => Object.hasOwn(activeNodes, nodeID))?.scopeID;
}

const factsPerPage = 100;
/** 5,000 facts. Earlier steps are found by moving through the replay. */
const maxPages = 50;

/** Leads to the step in which the node was entered last. */
function GoToLastTime({ nodeID, onMove }: Pick<ChoicesProps, 'nodeID' | 'onMove'>) {
  const { projectID, instance, nameOf } = useInstance();
  const { workflowID } = instance;
  const search = useMutation({
    mutationFn: () => lastStepAt({ projectID, workflowID }, nodeID),
    onSuccess: (step) => step !== undefined && onMove(step),
  });
  return (
    <p>
      <Button kind="quiet" icon="play" isBusy={search.isPending} onClick={() => search.mutate()}>
        Show the values when it was last entered
      </Button>
      {search.isSuccess && search.data === undefined && (
        <span className={styles.note}> {nameOf(nodeID)} has not been entered.</span>
      )}
      {search.isError && <span className={styles.problem}> {sentenceOf(search.error)}</span>}
    </p>
  );
}

async function lastStepAt(
  path: { projectID: string; workflowID: string },
  nodeID: string,
): Promise<number | undefined> {
  const read = (page: number) =>
    unwrap(
      api.GET('/projects/{projectID}/bpmn/instances/{workflowID}/replay/facts', {
        params: { path, query: { page, pageSize: factsPerPage } },
      }),
    );
  const first = await read(1);
  const { totalPages } = first.pagination;
  for (let page = totalPages; page >= Math.max(1, totalPages - maxPages); page -= 1) {
    const { data } = page === 1 ? first : await read(page);
    const found = data.findLast((fact) => fact.kind === 'ELEMENT_ACTIVATED' && fact.nodeID === nodeID);
    if (found) return found.at;
  }
  return undefined;
}
