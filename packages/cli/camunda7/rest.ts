/** The REST API of Camunda 7, Operaton, CIB seven, and EximeeBPMS, as far as a move needs it. */
import { setTimeout as delay } from 'node:timers/promises';
import { withTimeLimit } from '@perdure/lib/network/time-limit.js';

export interface SourceInstance {
  id: string;
  definitionId: string;
  businessKey?: string | null;
  suspended: boolean;
}

export interface ActivityInstance {
  id: string;
  activityId: string;
  activityType: string;
  executionIds?: string[];
  childActivityInstances?: ActivityInstance[];
  childTransitionInstances?: TransitionInstance[];
}

/** Waits for an asynchronous continuation. */
export interface TransitionInstance {
  id: string;
  activityId: string;
  executionId: string;
}

export interface SourceVariable {
  name: string;
  type: string;
  value: unknown;
  valueInfo?: { serializationDataFormat?: string; filename?: string } | null;
  /** Of the scope; for a variable of the process, the id of the process instance. */
  activityInstanceId: string;
  errorMessage?: string | null;
}

export interface SourceTask {
  id: string;
  executionId: string;
  assignee?: string | null;
  created?: string | null;
  due?: string | null;
  followUp?: string | null;
  priority?: number | null;
}

export interface IdentityLink {
  userId?: string | null;
  groupId?: string | null;
  type: string;
}

export interface TaskComment {
  userId?: string | null;
  time: string;
  message: string;
}

export interface ExternalTask {
  id: string;
  activityInstanceId: string;
  retries?: number | null;
}

export interface SourceJob {
  id: string;
  jobDefinitionId?: string | null;
  executionId?: string | null;
  dueDate?: string | null;
}

export interface JobDefinition {
  id: string;
  jobType: string;
  jobConfiguration?: string | null;
  activityId: string;
}

export interface EventSubscription {
  eventType: string;
  activityId: string;
  executionId?: string | null;
}

export interface SourceIncident {
  incidentType: string;
  incidentMessage?: string | null;
  activityId: string;
  /** When it was raised: the engine moves tokens to other executions, and leaves this as it was. */
  executionId?: string | null;
  /** Of a failed job or external task, its id. */
  configuration?: string | null;
}

export interface HistoricActivity {
  id: string;
  calledProcessInstanceId?: string | null;
}

export interface HistoricInstance {
  startTime: string;
  startUserId?: string | null;
}

/** The other engine did not answer as expected. */
export class SourceError extends Error {
  override readonly name = 'SourceError';

  /** @param status of the response, if there was one */
  constructor(
    message: string,
    readonly status?: number,
  ) {
    super(message);
  }
}

const TIMEOUT_MS = 60_000;
const ATTEMPTS = 5;
const PAUSE_MS = 500;
const PAGE = 500;

export type Query = Readonly<Record<string, string | number | boolean>>;

export interface SourceRest {
  get<Answer>(path: string, query?: Query): Promise<Answer>;
  /** All pages of a list. It must have an order. */
  all<Item>(path: string, query?: Query): Promise<Item[]>;
  put(path: string, body: object): Promise<void>;
}

/** @param url of the REST API, such as `http://host:8080/engine-rest`; credentials in it are sent as basic authentication */
export function sourceRest(url: string, signal: AbortSignal): SourceRest {
  const base = new URL(url);
  const headers = authorizationOf(base);
  const send = async (method: string, path: string, query: Query = {}, body?: object): Promise<unknown> => {
    const address = new URL(`${base.origin}${base.pathname.replace(/(?<!\/)\/+$/, '')}${path}`);
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value));
    const request = {
      method,
      headers: { ...headers, Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    };
    const named = `${method} ${address.origin}${address.pathname}`;
    const text = await answered(address, request, named, signal);
    return text === '' ? undefined : parsed(text, named);
  };
  const get = <Answer>(path: string, query?: Query) => send('GET', path, query) as Promise<Answer>;
  return {
    get,
    async all<Item>(path: string, query: Query = {}) {
      const items: Item[] = [];
      for (;;) {
        const page = await get<Item[]>(path, { ...query, firstResult: items.length, maxResults: PAGE });
        items.push(...page);
        if (page.length < PAGE) return items;
      }
    },
    put: async (path, body) => void (await send('PUT', path, {}, body)),
  };
}

function parsed(text: string, named: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SourceError(`${named} did not return JSON. Check that --url is the REST API of the engine.`);
  }
}

/**
 * All requests can be repeated.
 * @returns the body
 */
async function answered(address: URL, request: RequestInit, named: string, signal: AbortSignal): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const limits = withTimeLimit(signal, TIMEOUT_MS);
    const response = await fetch(address, { ...request, signal: limits, redirect: 'error' })
      .then(async (answer) => ({ ok: answer.ok, status: answer.status, text: await answer.text() }))
      .catch((error: Error) => error);
    if (!(response instanceof Error) && response.ok) return response.text;
    const isPassing = response instanceof Error || response.status >= 500 || response.status === 429;
    if (isPassing && attempt < ATTEMPTS && !signal.aborted) {
      await delay(PAUSE_MS * attempt, undefined, { signal }).catch(() => undefined);
      continue;
    }
    if (response instanceof Error)
      throw new SourceError(`${named} failed: ${response.message}. Check --url and whether the engine runs.`);
    throw new SourceError(`${named} returned ${response.status}: ${response.text.slice(0, 300)}`, response.status);
  }
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { Authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}
