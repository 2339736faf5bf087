/** Invariants between the rows of one instance and the state that its facts produce. */
import { activeNodes } from '@perdure/engine/state/active-nodes.js';
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import { modelOf } from '@perdure/engine/model/model.js';
import { heldCommands } from '@perdure/engine/state/element-data.js';
import { ROOT, type State } from '@perdure/engine/state/state.js';
import { firstRow, type Database } from '../../../store/sql/database.js';
import { loadGraph } from '../../../store/steps/graphs.js';
import { isPaused } from '../../../store/instances/paused.js';
import { stateAt } from '../../../store/steps/replay.js';
import { canonicalJson } from '@perdure/lib/canonical-json.js';
import type { Discrepancy, Invariant } from './discrepancy.js';
import { readable } from './row-rule.js';

/** The rows of one instance. */
interface RowView {
  status: string;
  stepCount: number;
  suspended: boolean;
  pendingCommands: number;
  /** Without the commands that the last step rejected because they came too late for any step. */
  handledCommands: number;
  variables: Variables;
  jobs: number[];
  userTasks: number[];
  incidents: number[];
  /** Null while they are unknown. */
  /** Null once the instance has ended. */
  activeNodes: string[] | null;
  graphSha256: string;
}

interface StateRule {
  invariant: Invariant;
  /** A sentence about the violation, or undefined. */
  check(state: State, view: RowView): string | undefined;
}

const stateRules: readonly StateRule[] = [
  { invariant: 'R13', check: (state, view) => unequal('status', state.status, view.status) },
  { invariant: 'R13', check: (state, view) => unequal('open jobs', waitsOf(state, 'job'), view.jobs) },
  { invariant: 'R13', check: (state, view) => unequal('open user tasks', waitsOf(state, 'userTask'), view.userTasks) },
  { invariant: 'R13', check: (state, view) => unequal('open incidents', numbersOf(state.incidents), view.incidents) },
  {
    invariant: 'R13',
    check: (state, view) =>
      unequal('commands handled', state.lastCommand - withoutOutcome(state), view.handledCommands),
  },
  {
    invariant: 'R13',
    check: (state, view) =>
      state.status === 'RUNNING'
        ? differingVariables(state.elements[ROOT]?.variables ?? {}, view.variables)
        : undefined,
  },
  {
    invariant: 'R2',
    check(state, { suspended, pendingCommands }) {
      const waits =
        Object.keys(state.waits).length > 0 || Object.keys(state.incidents).length > 0 || state.moving.length > 0;
      return state.status === 'RUNNING' && !waits && !suspended && pendingCommands === 0
        ? 'running, but waits for nothing'
        : undefined;
    },
  },
];

/** The violations of a single instance. An instance without step commits has no state to compare. */
export async function checkState(store: Database, workflowID: string): Promise<Discrepancy[]> {
  const view = await readView(store, workflowID);
  if (!view || view.stepCount === 0) return [];
  const { state } = await stateAt(store, workflowID);
  const found = stateRules.flatMap(({ invariant, check }): Omit<Discrepancy, 'workflowID'>[] => {
    const wrong = check(state, view);
    return wrong === undefined ? [] : [{ invariant, found: wrong }];
  });
  const misplaced = await differingNodes(store, state, view);
  if (misplaced !== undefined) found.push({ invariant: 'R13', found: misplaced });
  return found.map((discrepancy) => ({ ...discrepancy, workflowID }));
}

async function differingNodes(
  store: Database,
  state: State,
  { activeNodes: inRow, graphSha256 }: RowView,
): Promise<string | undefined> {
  const graph = await loadGraph(store, graphSha256);
  const fromFacts = state.status === 'RUNNING' ? activeNodes(modelOf(graph!), state) : [];
  return unequal('active nodes', fromFacts.toSorted(), (inRow ?? []).toSorted());
}

function readView(store: Database, workflowID: string): Promise<RowView | undefined> {
  return firstRow<RowView>(
    store,
    `SELECT i.status, i.step_count AS "stepCount", i.variables, i.active_nodes AS "activeNodes",
       d.graph_sha256 AS "graphSha256", ${isPaused('i')} AS suspended,
       (SELECT count(*)::integer FROM commands c WHERE c.workflow_id = $1 AND c.status = 'PENDING') AS "pendingCommands",
       (SELECT count(*)::integer FROM commands c WHERE c.workflow_id = $1 AND c.status <> 'PENDING'
          AND NOT (coalesce(c.code, '') = 'INSTANCE_ENDED' AND c.number > coalesce(p.last, 0))) AS "handledCommands",
       array(SELECT number FROM jobs j WHERE j.workflow_id = $1 AND j.status = 'PENDING' ORDER BY number) AS jobs,
       array(SELECT number FROM user_tasks t WHERE t.workflow_id = $1 AND t.status = 'CREATED' ORDER BY number) AS "userTasks",
       array(SELECT number FROM incidents n WHERE n.workflow_id = $1 AND n.status = 'OPEN' ORDER BY number) AS incidents
     FROM instances i JOIN definitions d ON d.id = i.definition_id
       LEFT JOIN LATERAL (
         SELECT (${readable('inputs')} ->> 'lastCommand')::integer AS last FROM steps
         WHERE workflow_id = $1 ORDER BY number DESC LIMIT 1
       ) p ON true
     WHERE i.workflow_id = $1`,
    [workflowID],
  );
}

/** How many commands the instance has handled, and answers later. */
function withoutOutcome(state: State): number {
  return (state.deferred?.length ?? 0) + (state.status === 'RUNNING' ? heldCommands(state).length : 0);
}

function waitsOf(state: State, kind: 'job' | 'userTask'): number[] {
  return Object.values(state.waits)
    .filter((wait) => wait.kind === kind)
    .map(({ id }) => id);
}

function numbersOf(record: { [id: number]: unknown }): number[] {
  return Object.keys(record).map(Number);
}

function unequal(what: string, fromFacts: unknown, inRows: unknown): string | undefined {
  const [facts, row] = [JSON.stringify(fromFacts), JSON.stringify(inRows)];
  return facts === row ? undefined : `${what}: facts say ${facts}, rows say ${row}`;
}

/** Only names: a report must not contain the values of variables. */
function differingVariables(fromFacts: Variables, inRows: Variables): string | undefined {
  const names = new Set([...Object.keys(fromFacts), ...Object.keys(inRows)]);
  const differing = [...names].filter((name) => textOf(fromFacts[name]) !== textOf(inRows[name]));
  return differing.length === 0 ? undefined : `variables: facts and rows differ in ${differing.join(', ')}`;
}

function textOf(value: Json | undefined): string {
  return value === undefined ? '' : canonicalJson(value);
}
