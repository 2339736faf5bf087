/** R19: the timeline has every acknowledged operator command once, with its actor. */
import type { Action } from './operators/operator.js';
import type { DefinitionChange } from './operators/pauser.js';
import type { Caller } from './caller.js';
import type { Violations } from './violations.js';
import type { Database } from '../../store/sql/database.js';

interface Entry {
  kind: string;
  actor?: string;
  reason?: string;
  outcome: string;
  scope?: string;
}

const MAX_PAGE = 100;
const AT_ONCE = 6;

export interface TimelineOptions {
  caller: Caller;
  projectID: string;
  /** The actor of all of them. */
  actor: string;
  violations: Violations;
}

export async function checkTimelines(actions: readonly Action[], options: TimelineOptions): Promise<void> {
  const byInstance = new Map<string, Action[]>();
  for (const action of actions)
    byInstance.set(action.workflowID, [...(byInstance.get(action.workflowID) ?? []), action]);
  const waiting = [...byInstance];
  const worker = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await checkTimeline(...next, options);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function checkTimeline(
  workflowID: string,
  actions: readonly Action[],
  { caller, projectID, actor, violations }: TimelineOptions,
): Promise<void> {
  const { status, body } = await caller.send(
    'GET',
    `/projects/${projectID}/bpmn/instances/${workflowID}/timeline?pageSize=${MAX_PAGE}`,
  );
  const entries: Entry[] =
    status === 200 ? body.data.filter(({ scope = 'instance' }: Entry) => scope === 'instance') : [];
  for (const { kind, reason, least, most } of actions) {
    const found = entries.filter((entry) => entry.kind === kind && (reason === undefined || entry.reason === reason));
    const isRight =
      found.length >= least &&
      found.length <= most &&
      found.every((entry) => entry.actor === actor && entry.outcome !== 'PENDING');
    violations.check(
      'R19',
      isRight,
      () =>
        `${kind} "${reason}" of ${workflowID} is to be there ${least} to ${most} times, and is ${found.length} times: ${JSON.stringify(found)}`,
    );
  }
}

/** Changes of definitions that were acknowledged are written down once. */
export async function checkDefinitionChanges(
  store: Database,
  changes: readonly DefinitionChange[],
  { actor, violations }: Pick<TimelineOptions, 'actor' | 'violations'>,
): Promise<void> {
  for (const { definitionID, suspended, reason } of changes) {
    const { rows } = await store.query<{ actor: string }>(
      `SELECT actor FROM audit_entries WHERE definition_id = $1 AND operation = $2 AND details ->> 'reason' = $3
         AND NOT details ? 'leavesInstances'`,
      [definitionID, suspended ? 'SuspendBpmnDefinition' : 'ResumeBpmnDefinition', reason],
    );
    violations.check(
      'R19',
      rows.length === 1 && rows[0]!.actor === actor,
      () =>
        `"${reason}", suspended ${suspended}, of definition ${definitionID} is there ${rows.length} times, by ${rows[0]?.actor}`,
    );
  }
}
