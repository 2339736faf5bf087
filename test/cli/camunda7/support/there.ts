/** Plays scripts of moving processes in Operaton, and reads how its instances ended. */
import { readVariable } from '../../../../packages/cli/camunda7/variables.js';
import type { SourceVariable } from '../../../../packages/cli/camunda7/rest.js';
import { eventually } from '../../../support/eventually.js';
import type { Operaton } from '../../../support/hosts/operaton.js';
import { variantOf, type ByHand, type MovingProcess, type Step } from './processes.js';

/** How an instance ended: the same of both twins. */
export interface Ending {
  status: string;
  /** The end events that it reached after the move, in alphabetical order. */
  ends: string[];
  variables: Record<string, unknown>;
}

const WORKER = 'a-worker-there';
const LOCK_MS = 3_600_000;

interface Row {
  id: string;
  executionId: string;
  eventName: string;
  activityId: string;
  activityType: string;
  incidentType: string;
  startTime: string;
  canceled: boolean;
  state: string;
  retries: number | null;
}

export class There {
  constructor(private readonly engine: Operaton) {}

  async start({ key, variables }: MovingProcess, number: number): Promise<string> {
    const body = { businessKey: `${key}-${number}`, variables: variables(number) };
    const { id } = await this.engine.call('POST', `/process-definition/key/${key}/start`, body);
    return id;
  }

  /** Brings an instance to where it moves. */
  async prepare(process: MovingProcess, number: number, id: string): Promise<void> {
    const { steps, byHand } = variantOf(process, number);
    for (const step of steps) if (step.of?.(number) ?? true) await this.act(id, step);
    if (byHand) await this.#byHand[byHand](id);
  }

  /** Failed jobs of the engine are incidents only after it has tried them. */
  async untilTried(key: string): Promise<void> {
    const query = `processDefinitionKey=${key}&messages=true&withRetriesLeft=true&active=true`;
    await eventually(
      () => this.engine.call('GET', `/job/count?${query}`),
      ({ count }: { count: number }) => count === 0,
    );
  }

  async resume(id: string): Promise<void> {
    await this.engine.call('PUT', `/process-instance/${id}/suspended`, { suspended: false });
  }

  /** An instance and all that it has called and that has not ended. */
  async tree(id: string): Promise<string[]> {
    const called: Row[] = await this.#list(`/process-instance?superProcessInstance=${id}`);
    const below = await Promise.all(called.map((child) => this.tree(child.id)));
    return [id, ...below.flat()];
  }

  signal(name: string): Promise<void> {
    return this.engine.call('POST', '/signal', { name });
  }

  /** Acts on what waits in the instance or in what it calls. */
  async act(root: string, step: Step): Promise<void> {
    if (step.do === 'signal') return this.signal(step.at);
    for (const id of await this.tree(root)) await this.#acts[step.do](id, step);
  }

  async ending(id: string, movedAt: number): Promise<Ending> {
    const { state }: Row = await this.engine.call('GET', `/history/process-instance/${id}`);
    const activities: Row[] = await this.#list(`/history/activity-instance?processInstanceId=${id}&finished=true`);
    const all: SourceVariable[] = await this.#list(
      `/history/variable-instance?processInstanceId=${id}&deserializeValues=false`,
    );
    return {
      status: state,
      ends: activities
        .filter(({ activityType, canceled }) => /EndEvent$/i.test(activityType) && !canceled)
        .filter(({ startTime }) => Date.parse(startTime.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')) >= movedAt)
        .map(({ activityId }) => activityId)
        .toSorted(),
      variables: Object.fromEntries(
        all.flatMap((variable) => {
          const read = readVariable(variable, {});
          return variable.activityInstanceId === id && read.kind === 'value' ? [[variable.name, read.value]] : [];
        }),
      ),
    };
  }

  readonly #list = (path: string) => this.engine.call('GET', path);

  readonly #acts: Record<Exclude<Step['do'], 'signal'>, (id: string, step: Step) => Promise<void>> = {
    task: async (id, { at, times, variables = {} }) => {
      const found: Row[] = await this.#list(`/task?processInstanceId=${id}&taskDefinitionKey=${at}`);
      for (const task of found.slice(0, times))
        await this.engine.call('POST', `/task/${task.id}/complete`, { variables: typed(variables) });
    },
    job: async (id, step) => {
      for (const task of (await this.#externalTasks(id, step.at)).slice(0, step.times)) await this.#work(task, step);
    },
    timer: async (id, { at, times }) => {
      const found: Row[] = await this.#list(`/job?processInstanceId=${id}&activityId=${at}&timers=true`);
      for (const timer of found.slice(0, times)) await this.engine.call('POST', `/job/${timer.id}/execute`);
    },
    message: async (id, { at }) => {
      const found: Row[] = await this.#list(`/event-subscription?processInstanceId=${id}&eventType=message`);
      for (const { executionId, eventName } of found.filter((each) => each.eventName === at))
        await this.engine.call('POST', `/execution/${executionId}/messageSubscriptions/${eventName}/trigger`, {});
    },
    incident: async (id, { at, variables = {} }) => {
      const found: Row[] = await this.#list(`/job?processInstanceId=${id}&activityId=${at}&noRetriesLeft=true`);
      if (found.length === 0) return;
      await this.#set(id, variables);
      for (const job of found) await this.engine.call('POST', `/job/${job.id}/execute`);
    },
    set: (id, { variables = {} }) => this.#set(id, variables),
  };

  async #set(id: string, variables: Step['variables']): Promise<void> {
    await this.engine.call('POST', `/process-instance/${id}/variables`, { modifications: typed(variables!) });
  }

  /** Whatever other workers did to it. */
  async #work({ id, retries }: Row, { variables = {}, errorCode }: Step): Promise<void> {
    if (retries === 0) await this.engine.call('PUT', `/external-task/${id}/retries`, { retries: 1 });
    await this.engine.call('POST', `/external-task/${id}/unlock`);
    await this.engine.call('POST', `/external-task/${id}/lock`, { workerId: WORKER, lockDuration: LOCK_MS });
    const result = errorCode === undefined ? { variables: typed(variables) } : { errorCode };
    const path = errorCode === undefined ? 'complete' : 'bpmnError';
    await this.engine.call('POST', `/external-task/${id}/${path}`, { workerId: WORKER, ...result });
  }

  #externalTasks(id: string, at: string): Promise<Row[]> {
    return this.#list(`/external-task?processInstanceId=${id}&activityId=${at}`);
  }

  readonly #byHand: Record<ByHand, (id: string) => Promise<void>> = {
    assignment: async (id) => {
      const [task]: Row[] = await this.#list(`/task?processInstanceId=${id}`);
      const path = `/task/${task!.id}`;
      const due = '2027-02-01T00:00:00.000+0000';
      await this.engine.call('PUT', path, { assignee: 'ann', priority: 70, due, followUp: due });
      await this.engine.call('POST', `${path}/identity-links`, { userId: 'ben', type: 'candidate' });
      await this.engine.call('POST', `${path}/comment/create`, { message: 'call first' });
    },
    failure: (id) => this.#fail(id, 2),
    exhaustion: (id) => this.#fail(id, 0),
    lock: async (id) => void (await this.#lock(id)),
    localVariable: async (id) => {
      const { childActivityInstances } = await this.engine.call('GET', `/process-instance/${id}/activity-instances`);
      const [execution] = childActivityInstances[0].executionIds;
      await this.engine.call('PUT', `/execution/${execution}/localVariables/box`, { value: 'open', type: 'String' });
    },
  };

  async #lock(id: string): Promise<string> {
    const [task]: Row[] = await this.#list(`/external-task?processInstanceId=${id}`);
    await this.engine.call('POST', `/external-task/${task!.id}/lock`, { workerId: WORKER, lockDuration: LOCK_MS });
    return task!.id;
  }

  async #fail(id: string, retries: number): Promise<void> {
    const task = await this.#lock(id);
    const failure = { workerId: WORKER, errorMessage: 'no carrier', retries, retryTimeout: 0 };
    await this.engine.call('POST', `/external-task/${task}/failure`, failure);
  }
}

/** The engine finds the type of a value without one. */
function typed(variables: Readonly<Record<string, unknown>>): Record<string, { value: unknown }> {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, { value }]));
}
