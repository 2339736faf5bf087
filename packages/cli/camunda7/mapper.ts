/** Turns an instance of the other engine into the form that an import takes. */
import type { Schemas } from '@perdure/client';
import { listeningAt, listeningOfProcess, timerAt } from './listeners.js';
import type { ActivityInstance, TransitionInstance } from './rest.js';
import type { Snapshot, TaskSnapshot } from './snapshot.js';
import { arrivedFlows } from './source-model.js';
import { instantOf, readVariable, type VariableRules } from './variables.js';

export type Given = Schemas['ImportedBpmnInstance'];
type Token = Given['tokens'][number];
type Scope = NonNullable<Given['scopes']>[number];
type Loop = NonNullable<Token['multiInstance']>;

/** The content of a map file. */
export interface MoveMap {
  nodes?: Readonly<Record<string, string>>;
  variables?: VariableRules;
}

export interface MappedInstance {
  /** Without a version of its process. */
  given: Omit<Given, 'definitionID' | 'processId' | 'version'>;
  processID: string;
  /** Reasons against moving it. */
  problems: string[];
  /** Parts that are left out or changed. */
  notes: string[];
  /** Ids of the nodes that it waits at, as the other engine calls them. */
  waitsAt: string[];
}

/** `source.system` of everything that is imported. */
export const SYSTEM = 'camunda7';

const BODY = '#multiInstanceBody';
const SCOPES = new Set(['subProcess', 'transaction', 'adHocSubProcess', 'eventSubProcess']);
const JOINS = new Set(['parallelGateway', 'inclusiveGateway', 'complexGateway']);
/** The engine's counters. */
const OF_LOOPS = new Set(['loopCounter', 'nrOfInstances', 'nrOfCompletedInstances', 'nrOfActiveInstances']);

interface Mapping {
  readonly snapshot: Snapshot;
  readonly map: MoveMap;
  readonly problems: string[];
  readonly notes: string[];
  readonly tokens: Token[];
  readonly scopes: Scope[];
  readonly called: NonNullable<Given['called']>;
  readonly comments: NonNullable<Given['comments']>;
  readonly waitsAt: string[];
  /** Ids of activity instances whose variables have a place. */
  readonly placed: Set<string>;
}

export function mapInstance(snapshot: Snapshot, map: MoveMap): MappedInstance {
  const { instance, model, started, tree } = snapshot;
  const mapping: Mapping = {
    snapshot,
    map,
    problems: snapshot.unplaced.map((id) => `the history does not show which call activity has called ${id}`),
    notes: listeningOfProcess(snapshot),
    tokens: [],
    scopes: [],
    called: [],
    comments: [],
    waitsAt: [],
    placed: new Set(),
  };
  const variables = variablesOf(mapping, tree.id);
  mapInside(mapping, tree, undefined);
  noteLostVariables(mapping);
  if (mapping.tokens.length === 0) mapping.problems.push('it waits nowhere');
  const { tokens, scopes, called, comments, problems, notes, waitsAt } = mapping;
  return {
    processID: model.processID,
    given: {
      source: { system: SYSTEM, id: instance.id },
      ...(instance.businessKey && { businessId: instance.businessKey }),
      ...(started && { createdAt: instantOf(started.startTime) }),
      ...(started?.startUserId && { startedBy: started.startUserId }),
      variables,
      tokens,
      ...(scopes.length > 0 && { scopes }),
      ...(called.length > 0 && { called }),
      ...(comments.length > 0 && { comments }),
    },
    problems,
    notes,
    waitsAt,
  };
}

function mapInside(mapping: Mapping, scope: ActivityInstance, key: string | undefined): void {
  const { childActivityInstances: children = [], childTransitionInstances: transitions = [] } = scope;
  mapJoins(mapping, children, key);
  for (const child of children) {
    if (JOINS.has(child.activityType)) continue;
    if (child.activityId.endsWith(BODY)) mapLoop(mapping, child, key);
    else mapActivity(mapping, child, key, undefined, child);
  }
  for (const transition of transitions) mapTransition(mapping, transition, key);
}

/** @param host whose boundary events listen: the activity, or the body of its loop */
function mapActivity(
  mapping: Mapping,
  activity: ActivityInstance,
  key: string | undefined,
  multiInstance: Loop | undefined,
  host: ActivityInstance | undefined,
): void {
  const { snapshot, problems } = mapping;
  const nodeID = nodeOf(mapping, activity.activityId);
  const variables = variablesOf(mapping, activity.id);
  const listening = listeningAt(snapshot, activity, host);
  if ('problem' in listening) problems.push(listening.problem);
  else noteRepeats(mapping, listening.events ?? []);
  const shared = {
    nodeID,
    ...(Object.keys(variables).length > 0 && { variables }),
    ...(multiInstance && { multiInstance }),
    ...('events' in listening &&
      listening.events && {
        listening: listening.events.map((event) => ({ ...event, nodeID: nodeOf(mapping, event.nodeID) })),
      }),
  };
  if (SCOPES.has(activity.activityType) && !isEmptyAdHoc(activity)) {
    mapping.scopes.push({ key: activity.id, ...(key !== undefined && { parent: key }), ...shared });
    return mapInside(mapping, activity, activity.id);
  }
  mapping.waitsAt.push(activity.activityId);
  const tokenIndex = mapping.tokens.length;
  mapping.tokens.push({
    ...shared,
    ...(key !== undefined && { scopeKey: key }),
    ...waitOf(mapping, activity, tokenIndex),
  });
  if (activity.activityType === 'callActivity') mapCall(mapping, activity, tokenIndex);
}

/** The REST API does not show how many are left. */
function noteRepeats({ snapshot, notes }: Mapping, events: readonly { nodeID: string }[]): void {
  for (const { nodeID } of events)
    if (snapshot.model.nodes.get(nodeID)?.countsRepeats)
      notes.push(`${nodeID}: its cycle has all repeats of the model again, the next one when it is due there`);
}

function isEmptyAdHoc({ activityType, childActivityInstances = [], childTransitionInstances = [] }: ActivityInstance) {
  return activityType === 'adHocSubProcess' && childActivityInstances.length + childTransitionInstances.length === 0;
}

/** The open instances of a multi-instance activity. */
function mapLoop(mapping: Mapping, body: ActivityInstance, key: string | undefined): void {
  const { childActivityInstances: children = [], childTransitionInstances: transitions = [] } = body;
  const completed = counterOf(mapping, body.id, 'nrOfCompletedInstances') ?? 0;
  for (const [position, child] of children.entries()) {
    const index = counterOf(mapping, child.id, 'loopCounter') ?? counterOf(mapping, body.id, 'loopCounter');
    if (index === undefined) mapping.problems.push(`${child.activityId}: the engine does not show its loopCounter`);
    const host = position === 0 ? body : undefined;
    mapActivity(mapping, child, key, { index: index ?? position, completed }, host);
  }
  for (const transition of transitions)
    if (mapping.snapshot.continuations.has(transition.executionId)) mapTransition(mapping, transition, key);
    // The engine shows an instance that is done as a transition without a job, until all are done.
    else mapping.placed.add(transition.id);
}

function counterOf({ snapshot }: Mapping, scope: string, name: string): number | undefined {
  const found = snapshot.variables.find((one) => one.activityInstanceId === scope && one.name === name);
  return typeof found?.value === 'number' ? found.value : undefined;
}

/** Tokens at a join are one token here, with the flows that have arrived. */
function mapJoins(mapping: Mapping, children: readonly ActivityInstance[], key: string | undefined): void {
  const joins = new Map<string, number>();
  for (const { activityType, activityId } of children)
    if (JOINS.has(activityType)) joins.set(activityId, (joins.get(activityId) ?? 0) + 1);
  const others = children.filter(({ activityType }) => !JOINS.has(activityType));
  for (const [join, waiting] of joins) {
    const active = [
      ...others.map(({ activityId }) => activityId.replace(BODY, '')),
      ...[...joins.keys()].filter((other) => other !== join),
    ];
    const arrived = arrivedFlows(mapping.snapshot.model, join, waiting, active);
    mapping.waitsAt.push(join);
    if (!arrived)
      mapping.problems.push(`${join}: several answers are possible which sequence flows have arrived there`);
    const nodeID = nodeOf(mapping, join);
    mapping.tokens.push({ nodeID, arrived: arrived ?? [], ...(key !== undefined && { scopeKey: key }) });
  }
}

/** One that ends its activity cannot be placed, because the activity would run again. */
function mapTransition(mapping: Mapping, transition: TransitionInstance, key: string | undefined): void {
  const { activityId, executionId } = transition;
  const { continuations, incidents } = mapping.snapshot;
  const continuation = continuations.get(executionId);
  const incident = continuation && incidents.find(({ configuration }) => configuration === continuation.jobID);
  const isBefore = continuation?.kind === 'async-before';
  mapping.waitsAt.push(activityId);
  if (!incident || !isBefore)
    mapping.problems.push(
      `${activityId}: waits for an asynchronous continuation ${isBefore ? 'before' : 'after'} it. Let the engine finish it first`,
    );
  mapping.placed.add(transition.id);
  mapping.tokens.push({
    nodeID: nodeOf(mapping, activityId.replace(BODY, '')),
    ...(key !== undefined && { scopeKey: key }),
    ...(incident && { incident: incidentOf(incident) }),
  });
}

function mapCall(mapping: Mapping, { id, activityId }: ActivityInstance, tokenIndex: number): void {
  const called = mapping.snapshot.called.get(id);
  if (!called) return void mapping.problems.push(`${activityId}: the instance that it has called is unknown`);
  const { given, processID, problems, notes } = mapInstance(called, mapping.map);
  // Here it has the business id of its caller.
  const { businessId, ...rest } = given;
  mapping.called.push({ tokenIndex, instance: { ...rest, processId: processID } });
  if (businessId !== undefined && businessId !== mapping.snapshot.instance.businessKey)
    mapping.notes.push(`${activityId} > business key ${businessId} is left out`);
  mapping.problems.push(...problems.map((text) => `${activityId} > ${text}`));
  mapping.notes.push(...notes.map((text) => `${activityId} > ${text}`));
}

/** The members of a token that waits: task, job, timer, and incident. */
function waitOf(mapping: Mapping, activity: ActivityInstance, tokenIndex: number): Partial<Token> {
  const { snapshot, problems } = mapping;
  const executions = new Set(activity.executionIds);
  const job = snapshot.externalTasks.find(({ activityInstanceId }) => activityInstanceId === activity.id);
  const incident =
    snapshot.incidents.find(({ configuration }) => job !== undefined && configuration === job.id) ??
    snapshot.incidents.find(({ executionId, activityId }) => {
      return activityId === activity.activityId && executionId !== null && executions.has(executionId ?? '');
    }) ??
    only(snapshot.incidents.filter(({ activityId }) => activityId === activity.activityId));
  if (incident) return { incident: incidentOf(incident) };
  const task = snapshot.tasks.find(({ executionId }) => executions.has(executionId));
  const timer = timerAt(snapshot, activity);
  if ('problem' in timer) problems.push(timer.problem);
  if (task) addComments(mapping, task, tokenIndex);
  return {
    ...(job?.retries && { retries: job.retries }),
    ...(task && { task: taskOf(mapping, task, activity.activityId) }),
    ...('dueAt' in timer && timer.dueAt !== undefined && { dueAt: timer.dueAt }),
  };
}

function only<Item>(items: readonly Item[]): Item | undefined {
  return items.length === 1 ? items[0] : undefined;
}

function incidentOf({ incidentType, incidentMessage }: Snapshot['incidents'][number]): NonNullable<Token['incident']> {
  return { type: incidentType, message: incidentMessage?.slice(0, 10_000) || 'The engine gave no reason.' };
}

const MAX_PRIORITY = 100;

function taskOf({ notes }: Mapping, task: TaskSnapshot, nodeID: string): NonNullable<Token['task']> {
  const { assignee, created, due, followUp, priority, links } = task;
  const candidates = links.filter(({ type }) => type === 'candidate');
  const named = (member: 'userId' | 'groupId') => candidates.flatMap((link) => link[member] ?? []);
  if (priority && priority > MAX_PRIORITY) notes.push(`${nodeID}: priority ${priority} becomes ${MAX_PRIORITY}`);
  const instant = (name: string, text: string | null | undefined) => {
    const at = text ? instantOf(text) : undefined;
    return at === undefined ? {} : { [name]: at };
  };
  return {
    ...(assignee && { assignee }),
    candidateUsers: named('userId'),
    candidateGroups: named('groupId'),
    ...(typeof priority === 'number' && { priority: Math.min(MAX_PRIORITY, Math.max(0, priority)) }),
    ...instant('createdAt', created),
    ...instant('dueDate', due),
    ...instant('followUpDate', followUp),
  };
}

function addComments({ comments }: Mapping, task: TaskSnapshot, tokenIndex: number): void {
  for (const { message, userId, time } of task.comments) {
    const createdAt = instantOf(time);
    if (createdAt !== undefined && message !== '')
      comments.push({ tokenIndex, text: message.slice(0, 10_000), author: userId || 'unknown', createdAt });
  }
}

function nodeOf({ map }: Mapping, id: string): string {
  const { nodes = {} } = map;
  return Object.hasOwn(nodes, id) ? nodes[id]! : id;
}

/** The variables of a scope or an activity, without the counters of its loop. */
function variablesOf(mapping: Mapping, scope: string): Record<string, unknown> {
  const { snapshot, map, notes, placed } = mapping;
  placed.add(scope);
  const found: [string, unknown][] = [];
  for (const variable of snapshot.variables) {
    if (variable.activityInstanceId !== scope || OF_LOOPS.has(variable.name)) continue;
    const read = readVariable(variable, map.variables ?? {});
    if (read.note !== undefined) notes.push(`variable ${variable.name}: ${read.note}`);
    if (read.kind === 'value') found.push([variable.name, read.value]);
  }
  return Object.fromEntries(found);
}

function noteLostVariables({ snapshot, notes, placed }: Mapping): void {
  for (const { name, activityInstanceId } of snapshot.variables)
    if (!placed.has(activityInstanceId) && !OF_LOOPS.has(name))
      notes.push(`variable ${name}: skipped, because its scope has no equivalent`);
}
