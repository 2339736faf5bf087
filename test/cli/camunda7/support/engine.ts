/** An engine with the REST API of Camunda 7, in the shape that its public documentation describes. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  ActivityInstance,
  EventSubscription,
  ExternalTask,
  IdentityLink,
  JobDefinition,
  SourceIncident,
  SourceJob,
  SourceTask,
  SourceVariable,
  TaskComment,
} from '../../../../packages/cli/camunda7/rest.js';

export interface EngineInstance {
  id: string;
  /** `key:version:id` */
  definitionId: string;
  businessKey?: string;
  suspended?: boolean;
  /** The instance whose call activity has called it. */
  calledBy?: { instance: string; activity: string };
  children: ActivityInstance[];
  variables?: SourceVariable[];
  tasks?: (SourceTask & { links?: IdentityLink[]; comments?: TaskComment[] })[];
  externalTasks?: ExternalTask[];
  jobs?: SourceJob[];
  subscriptions?: EventSubscription[];
  incidents?: SourceIncident[];
}

export interface EngineDefinition {
  id: string;
  xml: string;
  jobDefinitions?: JobDefinition[];
}

export interface Engine {
  readonly url: string;
  readonly instances: Map<string, EngineInstance>;
  /** Ids of instances that refuse to be suspended. */
  readonly stubborn: Set<string>;
  /** Instances and requests in the order of arrival: `GET /job`. */
  readonly requests: string[];
  /** Whether it keeps a history. */
  hasHistory: boolean;
  /** Called before each request. */
  before: (request: string) => void;
  close(): Promise<void>;
}

export const STARTED = '2026-01-05T08:00:00.000+0000';

export async function startEngine(definitions: readonly EngineDefinition[]): Promise<Engine> {
  const instances = new Map<string, EngineInstance>();
  const byID = new Map(definitions.map((definition) => [definition.id, definition]));
  const server = createServer((request, response) => void respond(request, response));
  const engine: Engine = {
    url: '',
    instances,
    stubborn: new Set(),
    requests: [],
    hasHistory: true,
    before: () => undefined,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, 'http://engine');
    const path = pathname.replace('/engine-rest', '');
    const named = `${request.method} ${path}`;
    engine.requests.push(named);
    engine.before(named);
    let body = '';
    for await (const chunk of request) body += chunk;
    const found = answer(engine, byID, path, searchParams, body);
    response.writeHead(found === undefined ? 404 : found === DONE ? 204 : 200, { 'Content-Type': 'application/json' });
    response.end(found === DONE ? undefined : JSON.stringify(found ?? { type: 'RestException', message: 'not found' }));
  }

  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return Object.assign(engine, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/engine-rest` });
}

const DONE = Symbol('204');

function answer(
  engine: Engine,
  definitions: ReadonlyMap<string, EngineDefinition>,
  path: string,
  query: URLSearchParams,
  body: string,
): unknown {
  const { instances } = engine;
  const [, resource, id = '', part] = path.split('/').map(decodeURIComponent);
  const page = <Item>(items: readonly Item[]) => {
    const first = Number(query.get('firstResult') ?? 0);
    return items.slice(first, first + Number(query.get('maxResults') ?? items.length));
  };
  const of = <Key extends keyof EngineInstance>(member: Key, parameter = 'processInstanceId') =>
    page((instances.get(query.get(parameter)!)?.[member] ?? []) as readonly unknown[]);
  switch (resource) {
    case 'process-definition':
      return definitions.has(id) ? { id, bpmn20Xml: definitions.get(id)!.xml } : undefined;
    case 'job-definition':
      return page(definitions.get(query.get('processDefinitionId')!)?.jobDefinitions ?? []);
    case 'process-instance':
      return id === '' ? page(listed(instances, query)) : ofInstance(engine, id, part, body);
    case 'variable-instance':
      return query.get('deserializeValues') === 'false' ? of('variables', 'processInstanceIdIn') : undefined;
    case 'task':
      return id === '' ? of('tasks').map(withoutPeople) : peopleOf(instances, id, part!);
    case 'external-task':
      return of('externalTasks');
    case 'job':
      return of('jobs');
    case 'event-subscription':
      return of('subscriptions');
    case 'incident':
      return of('incidents');
    case 'history':
      if (!engine.hasHistory) return [];
      return ofHistory(instances, id, query.get('processInstanceId')!, page);
    default:
      return undefined;
  }
}

function listed(instances: ReadonlyMap<string, EngineInstance>, query: URLSearchParams): object[] {
  const key = query.get('processDefinitionKey');
  const caller = query.get('superProcessInstance');
  return [...instances.values()]
    .filter(({ definitionId, calledBy }) => {
      if (caller !== null) return calledBy?.instance === caller;
      return definitionId.startsWith(`${key}:`) && (query.get('rootProcessInstances') !== 'true' || !calledBy);
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(summary);
}

function summary({ id, definitionId, businessKey = undefined, suspended = false }: EngineInstance): object {
  return { id, definitionId, businessKey: businessKey ?? null, suspended, ended: false, tenantId: null };
}

function ofInstance(engine: Engine, id: string, part: string | undefined, body: string): unknown {
  const instance = engine.instances.get(id);
  if (!instance) return undefined;
  if (part === undefined) return summary(instance);
  if (part === 'activity-instances')
    return {
      id,
      activityId: instance.definitionId,
      activityType: 'processDefinition',
      childActivityInstances: instance.children,
      childTransitionInstances: [],
      executionIds: [id],
    };
  const { suspended } = JSON.parse(body) as { suspended: boolean };
  if (!engine.stubborn.has(id)) instance.suspended = suspended;
  return DONE;
}

function withoutPeople(task: unknown): object {
  const { links: _links, comments: _comments, ...rest } = task as NonNullable<EngineInstance['tasks']>[number];
  return rest;
}

function peopleOf(instances: ReadonlyMap<string, EngineInstance>, id: string, part: string): unknown {
  const task = [...instances.values()].flatMap(({ tasks = [] }) => tasks).find((one) => one.id === id);
  return part === 'comment' ? (task?.comments ?? []) : (task?.links ?? []);
}

function ofHistory(
  instances: ReadonlyMap<string, EngineInstance>,
  resource: string,
  id: string,
  page: (items: readonly unknown[]) => unknown,
): unknown {
  if (resource === 'process-instance') return [{ id, startTime: STARTED, startUserId: 'demo' }];
  const calls = [...instances.values()].filter(({ calledBy }) => calledBy?.instance === id);
  return page(calls.map((called) => ({ id: called.calledBy!.activity, calledProcessInstanceId: called.id })));
}

/** An activity instance, whose execution has its id with `x-` in front. */
export function activity(
  activityType: string,
  activityId: string,
  { id = `${activityId}:1`, ...members }: Partial<ActivityInstance> = {},
): ActivityInstance {
  return {
    id,
    activityId,
    activityType,
    executionIds: [`x-${id}`],
    childActivityInstances: [],
    childTransitionInstances: [],
    ...members,
  };
}

export function variable(scope: string, name: string, type: string, value: unknown, format?: string): SourceVariable {
  const valueInfo = format === undefined ? {} : { serializationDataFormat: format };
  return { name, type, value, valueInfo, activityInstanceId: scope };
}
