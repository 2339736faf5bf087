/**
 * Takes over a running instance of another system. Its whole state is one fact, made by the same code that enters nodes,
 * starts timers and creates jobs; nothing moves yet. All reasons against it are found before anything is written.
 */
import { measure, MAX_CONTROL_STATE_BYTES, MAX_VARIABLES_BYTES } from '../behaviors/lifecycle/size.js';
import { recordStart } from '../behaviors/lifecycle/instance.js';
import { skipStart } from '../behaviors/listeners/progress.js';
import { apply } from '../apply.js';
import { UNIT_WORK } from '../budget.js';
import type { StartInput } from '../contract/commands.js';
import type { FactOf } from '../contract/facts.js';
import type { ImportedInstance, ImportIssue } from '../contract/imported.js';
import type { Model } from '../model/model.js';
import { newRun } from '../new-run.js';
import { record, type Run } from '../run.js';
import { newState, ROOT, type State } from '../state/state.js';
import { instantAt, PROCESS, report, type Draft } from './draft.js';
import { openEventSubProcesses } from './listeners.js';
import { loopGroups } from './loops.js';
import { enterScopes, interruptions } from './scopes.js';
import { enterToken } from './tokens.js';

export interface ImportContext extends Pick<
  StartInput,
  'parent' | 'caughtErrors' | 'caughtEscalations' | 'depth' | 'flags'
> {
  workflowID: string;
  /** Epoch milliseconds. */
  now: number;
  /** Processes of the called instances, by the index of their token. */
  called?: ReadonlyMap<number, string>;
}

export interface ImportedState {
  fact: FactOf<'INSTANCE_IMPORTED'>;
  state: State;
  /** The calls of call activities, by the index of their token. */
  calls: ReadonlyMap<number, FactOf<'CHILD_CALLED'>>;
  /** Numbers of user tasks, by the index of their token. */
  userTasks: ReadonlyMap<number, number>;
}

/** All expressions of one import together. */
const MAX_WORK = 2 * UNIT_WORK;

/**
 * The state of `given` at `model`.
 * @returns `imported` unless there are issues; `warnings`: what cannot be taken over, and does not prevent the import
 */
export function importInstance(
  model: Model,
  given: ImportedInstance,
  context: ImportContext,
): { issues: ImportIssue[]; warnings: string[]; imported?: ImportedState } {
  const draft = newDraft(model, given, context);
  const { run, issues } = draft;
  const root = recordStart(run, { ...context, variables: given.variables });
  skipStart(run, root, model.root);
  enterScopes(draft);
  const places = enterTokens(draft);
  openAll(draft);
  checkInstants(draft);
  checkSize(draft);
  if (issues.length > 0) return { issues, warnings: [] };
  const { source } = given;
  record(run, { kind: 'STATE_MEASURED', ...measure(run.state) });
  settleFirst(draft);
  const fact: FactOf<'INSTANCE_IMPORTED'> = {
    kind: 'INSTANCE_IMPORTED',
    source: { system: source.system, id: source.id },
    facts: run.facts,
    ...(draft.arrived.length > 0 && { arrived: draft.arrived }),
  };
  const state = newState(context.workflowID);
  apply(state, fact, context.now);
  return { issues, warnings: warningsOf(model), imported: { fact, state, ...opened(run, places) } };
}

function newDraft(
  model: Model,
  given: ImportedInstance,
  { workflowID, now, called = new Map() }: ImportContext,
): Draft {
  return {
    run: newRun(model, newState(workflowID), now),
    given,
    issues: [],
    scopes: new Map(),
    loops: loopGroups(given),
    interrupted: interruptions(model, given),
    called,
    arrived: [],
    later: [],
  };
}

/** @returns the element instance of each token, by the index of the token */
function enterTokens(draft: Draft): Map<number, number> {
  const { run, given } = draft;
  const places = new Map<number, number>();
  for (const [index, token] of given.tokens.entries()) {
    const before = run.state.lastID;
    enterToken(draft, token, index);
    // The last element instance that it has entered; around it are the body of a loop and the flow of an ad-hoc sub-process.
    if (run.state.lastID > before) places.set(run.state.lastID, index);
  }
  return places;
}

/** Opens what waits, first that of the process. */
function openAll(draft: Draft): void {
  const { run, issues } = draft;
  openEventSubProcesses(draft, run.state.elements[ROOT]!, PROCESS, undefined, { path: '' });
  let work = 0;
  for (const open of draft.later) {
    run.budget.nextUnit();
    open();
    work += UNIT_WORK - run.budget.unit;
    if (work <= MAX_WORK) continue;
    issues.push({
      path: 'tokens',
      message: 'The expressions of these nodes take too long together. Import fewer tokens in one instance.',
    });
    return;
  }
}

function checkInstants(draft: Draft): void {
  const { createdAt, tokens } = draft.given;
  const at = { path: 'createdAt' };
  const created = instantAt(draft, createdAt, at, '');
  if (created !== undefined && created > draft.run.now) report(draft, at, 'must not be in the future');
  for (const [tokenIndex, { task, nodeID }] of tokens.entries()) {
    const place = { path: `tokens[${tokenIndex}]`, tokenIndex, nodeID };
    const since = instantAt(draft, task?.createdAt, place, '.task.createdAt');
    if (since !== undefined && since > draft.run.now)
      report(draft, place, 'must not be in the future', '.task.createdAt');
  }
}

function checkSize({ run, issues }: Draft): void {
  const { variables, control } = measure(run.state);
  if (variables > MAX_VARIABLES_BYTES)
    issues.push({
      path: 'variables',
      message: `All variables together take ${variables} bytes, but an instance can have ${MAX_VARIABLES_BYTES}`,
    });
  if (control > MAX_CONTROL_STATE_BYTES)
    issues.push({
      path: 'tokens',
      message: `The tokens and scopes take ${control} bytes, but an instance can have ${MAX_CONTROL_STATE_BYTES}`,
    });
}

/** Joins and conditions are checked when something moves. The first step after the import checks them. */
function settleFirst({ run, arrived }: Draft): void {
  const hasConditions = run.facts.some(({ kind }) => kind === 'CONDITION_OPENED');
  if (arrived.length === 0 && !hasConditions) return;
  record(run, { kind: 'STEP_YIELDED', written: 0, ...(hasConditions && { conditions: { from: 0 } }) });
}

function opened({ facts }: Run, places: ReadonlyMap<number, number>): Pick<ImportedState, 'calls' | 'userTasks'> {
  const calls = new Map<number, FactOf<'CHILD_CALLED'>>();
  const userTasks = new Map<number, number>();
  for (const fact of facts) {
    const index = 'element' in fact ? places.get(fact.element) : undefined;
    if (index === undefined) continue;
    if (fact.kind === 'CHILD_CALLED') calls.set(index, fact);
    if (fact.kind === 'USER_TASK_CREATED') userTasks.set(index, fact.task);
  }
  return { calls, userTasks };
}

function warningsOf({ graph }: Model): string[] {
  const compensates = graph.nodes.some(
    (node) => 'triggers' in node && node.triggers.some(({ kind }) => kind === 'compensate'),
  );
  return compensates ? ['Activities that completed before the import cannot be compensated.'] : [];
}
