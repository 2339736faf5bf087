/** Reads everything about one running instance of the other engine, and about those that it calls. */
import type {
  ActivityInstance,
  EventSubscription,
  ExternalTask,
  HistoricActivity,
  HistoricInstance,
  IdentityLink,
  JobDefinition,
  SourceIncident,
  SourceInstance,
  SourceJob,
  SourceRest,
  SourceTask,
  SourceVariable,
  TaskComment,
} from './rest.js';
import { readModel, type SourceModel } from './source-model.js';

export interface Snapshot {
  instance: SourceInstance;
  model: SourceModel;
  started: HistoricInstance | undefined;
  /** Its root is the process. */
  tree: ActivityInstance;
  variables: SourceVariable[];
  tasks: TaskSnapshot[];
  externalTasks: ExternalTask[];
  timers: SourceTimer[];
  /** By the execution that waits for the continuation. */
  continuations: ReadonlyMap<string, Continuation>;
  subscriptions: EventSubscription[];
  incidents: SourceIncident[];
  /** By the id of the activity instance of the call activity. */
  called: ReadonlyMap<string, Snapshot>;
  /** Called instances whose call activity is unknown. */
  unplaced: string[];
}

export interface Continuation {
  jobID: string;
  /** `async-before` or `async-after`. */
  kind: string;
}

export interface TaskSnapshot extends SourceTask {
  links: IdentityLink[];
  comments: TaskComment[];
}

export interface SourceTimer {
  activityId: string;
  executionId: string | undefined;
  dueDate: string | undefined;
}

/** Versions are read once. */
export class SourceModels {
  readonly #models = new Map<string, Promise<SourceModel>>();
  readonly #jobs = new Map<string, Promise<ReadonlyMap<string, JobDefinition>>>();

  constructor(private readonly rest: SourceRest) {}

  model(definitionID: string): Promise<SourceModel> {
    return remembered(this.#models, definitionID, async () => {
      const path = `/process-definition/${encodeURIComponent(definitionID)}/xml`;
      const { bpmn20Xml } = await this.rest.get<{ bpmn20Xml: string }>(path);
      return readModel(bpmn20Xml, keyOf(definitionID));
    });
  }

  /** By their id. */
  jobDefinitions(processDefinitionId: string): Promise<ReadonlyMap<string, JobDefinition>> {
    return remembered(this.#jobs, processDefinitionId, async () => {
      const found = await this.rest.all<JobDefinition>('/job-definition', { processDefinitionId, ...BY_ID });
      return new Map(found.map((definition) => [definition.id, definition]));
    });
  }
}

const BY_ID = { sortBy: 'jobDefinitionId', sortOrder: 'asc' };

/** A version is called `key:version:id`. */
export function keyOf(definitionID: string): string {
  return definitionID.split(':')[0]!;
}

function remembered<Value>(
  cache: Map<string, Promise<Value>>,
  key: string,
  read: () => Promise<Value>,
): Promise<Value> {
  const known = cache.get(key) ?? read();
  cache.set(key, known);
  return known;
}

export async function readSnapshot(rest: SourceRest, models: SourceModels, id: string): Promise<Snapshot> {
  const path = `/process-instance/${encodeURIComponent(id)}`;
  const instance = await rest.get<SourceInstance>(path);
  const model = await models.model(instance.definitionId);
  const definitions = await models.jobDefinitions(instance.definitionId);
  const ofInstance = { processInstanceId: id };
  const tree = await rest.get<ActivityInstance>(`${path}/activity-instances`);
  const variables = await rest.all<SourceVariable>('/variable-instance', {
    processInstanceIdIn: id,
    deserializeValues: false,
    sortBy: 'variableName',
    sortOrder: 'asc',
  });
  const tasks = await rest.all<SourceTask>('/task', { ...ofInstance, sortBy: 'id', sortOrder: 'asc' });
  const externalTasks = await rest.all<ExternalTask>('/external-task', {
    ...ofInstance,
    sortBy: 'id',
    sortOrder: 'asc',
  });
  const jobs = await rest.all<SourceJob>('/job', { ...ofInstance, sortBy: 'jobId', sortOrder: 'asc' });
  const subscriptions = await rest.all<EventSubscription>('/event-subscription', {
    ...ofInstance,
    sortBy: 'created',
    sortOrder: 'asc',
  });
  const incidents = await rest.all<SourceIncident>('/incident', {
    ...ofInstance,
    sortBy: 'incidentId',
    sortOrder: 'asc',
  });
  return {
    instance,
    model,
    started: await startOf(rest, id),
    tree,
    variables,
    tasks: await withPeople(rest, tasks),
    externalTasks,
    ...ofJobs(jobs, definitions),
    subscriptions,
    incidents,
    ...(await readCalled(rest, models, id)),
  };
}

function ofJobs(
  jobs: readonly SourceJob[],
  definitions: ReadonlyMap<string, JobDefinition>,
): Pick<Snapshot, 'timers' | 'continuations'> {
  const timers: SourceTimer[] = [];
  const continuations = new Map<string, Continuation>();
  for (const { id, jobDefinitionId, executionId, dueDate } of jobs) {
    const { jobType = '', jobConfiguration, activityId } = definitions.get(jobDefinitionId ?? '') ?? {};
    if (jobType.startsWith('timer') && activityId !== undefined)
      timers.push({ activityId, executionId: executionId ?? undefined, dueDate: dueDate ?? undefined });
    else if (executionId) continuations.set(executionId, { jobID: id, kind: jobConfiguration ?? jobType });
  }
  return { timers, continuations };
}

/** Undefined without a history. */
async function startOf(rest: SourceRest, id: string): Promise<HistoricInstance | undefined> {
  const [found] = await rest.get<HistoricInstance[]>('/history/process-instance', { processInstanceId: id });
  return found;
}

async function withPeople(rest: SourceRest, tasks: readonly SourceTask[]): Promise<TaskSnapshot[]> {
  const found: TaskSnapshot[] = [];
  for (const task of tasks) {
    const path = `/task/${encodeURIComponent(task.id)}`;
    const links = await rest.get<IdentityLink[]>(`${path}/identity-links`);
    found.push({ ...task, links, comments: await rest.get<TaskComment[]>(`${path}/comment`) });
  }
  return found;
}

/** Only the history says which call activity has called which instance. */
async function readCalled(
  rest: SourceRest,
  models: SourceModels,
  id: string,
): Promise<Pick<Snapshot, 'called' | 'unplaced'>> {
  const called = await calledBy(rest, id);
  if (called.length === 0) return { called: new Map(), unplaced: [] };
  const calls = await rest.all<HistoricActivity>('/history/activity-instance', {
    processInstanceId: id,
    activityType: 'callActivity',
    unfinished: true,
    sortBy: 'activityInstanceId',
    sortOrder: 'asc',
  });
  const places = new Map(calls.map((call) => [call.calledProcessInstanceId, call.id]));
  const found = new Map<string, Snapshot>();
  const unplaced: string[] = [];
  for (const child of called) {
    const place = places.get(child.id);
    if (place === undefined) unplaced.push(child.id);
    else found.set(place, await readSnapshot(rest, models, child.id));
  }
  return { called: found, unplaced };
}

export function calledBy(rest: SourceRest, id: string): Promise<SourceInstance[]> {
  return rest.all<SourceInstance>('/process-instance', {
    superProcessInstance: id,
    sortBy: 'instanceId',
    sortOrder: 'asc',
  });
}
