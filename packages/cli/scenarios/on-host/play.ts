/** A scenario in play on a host: one test of a draft. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, unwrap, type Schemas } from '@perdure/client';
import { StepFailed, type Observation, type Scenario } from '@perdure/testkit';
import type { Host } from '../../host.js';
import { untilApplied } from '../../outcome.js';
import { observe, readInstances, type HostInstance, type Wait } from './instances.js';
import type { VirtualClock } from './virtual-clock.js';

/** How long a step waits for what it names. The host works on an instance in the background. */
const PATIENCE_MS = 15_000;
const PAUSE_MS = 100;

/** Where a step looks. */
interface Place {
  readonly in?: string;
  readonly nth?: number;
}

export interface Found {
  readonly workflowID: string;
  readonly wait: Wait;
}

export class HostPlay {
  readonly host: Host;
  readonly clock: VirtualClock;
  readonly #signal: AbortSignal;
  readonly #publicationIDs: string[] = [];
  #workflowID: string | undefined;

  constructor(host: Host, clock: VirtualClock, signal: AbortSignal) {
    this.host = host;
    this.clock = clock;
    this.#signal = signal;
  }

  async start(resourceID: string, { process, start }: Scenario): Promise<void> {
    const { client, projectID } = this.host;
    const { variables, businessId } = start!;
    const started = await accepted(
      unwrap<Schemas['StartedBpmnInstance']>(
        client.POST('/projects/{projectID}/bpmn/resources/{resourceID}/test', {
          params: { path: { projectID, resourceID }, header: { 'Idempotency-Key': randomUUID() } },
          body: {
            processID: process,
            ...(variables && { variables }),
            ...(businessId !== undefined && { businessId }),
          },
        }),
      ),
    );
    this.#workflowID = started.workflowID;
  }

  /** The first instance. */
  get workflowID(): string {
    if (this.#workflowID === undefined) throw new StepFailed('no instance of the process has started');
    return this.#workflowID;
  }

  /** All instances, as soon as the host has nothing left to do for them. */
  async settled(): Promise<HostInstance[]> {
    const settled = await this.#eventually(() => readInstances(this.host, this.workflowID));
    if (settled) return settled;
    throw new StepFailed(`the host was still busy with the instance after ${PATIENCE_MS / 1000} seconds`);
  }

  /**
   * Notes the timers as well, so that each has its due time from the moment at which it was opened.
   *
   * @param is what the step looks for
   * @returns the first of them, or the one that the place counts; undefined if it does not open in time
   */
  async find(place: Place, is: (wait: Wait) => boolean): Promise<Found | undefined> {
    return this.#eventually(async () => {
      const instances = await this.settled();
      this.clock.timersOf(instances);
      const found = inside(instances, place).flatMap(({ state: { workflowID }, waits }) =>
        waits.filter(is).map((wait) => ({ workflowID, wait })),
      );
      return found[(place.nth ?? 1) - 1];
    });
  }

  /** @returns the first instance in which the node is active; undefined if it is not in time */
  async findActive(place: Place, nodeID: string): Promise<string | undefined> {
    return this.#eventually(async () => {
      const instances = await this.settled();
      this.clock.timersOf(instances);
      const isActive = ({ state }: HostInstance) =>
        state.activeScopes.some(({ activeNodes }) => Object.hasOwn(activeNodes, nodeID));
      return inside(instances, place).find(isActive)?.state.workflowID;
    });
  }

  /** The waits that a step could have named instead. */
  async open(place: Place): Promise<Wait[]> {
    return inside(await this.settled(), place).flatMap(({ waits }) => waits);
  }

  /** Repeats the check until it holds: a result can take a moment to reach the process. */
  async expect(check: (observation: Observation) => void): Promise<void> {
    let failed: StepFailed | undefined;
    const passed = await this.#eventually(async () => {
      const instances = await this.settled();
      this.clock.timersOf(instances);
      const observation = await observe(this.host, instances);
      try {
        check(observation);
        return true;
      } catch (error) {
        if (!(error instanceof StepFailed)) throw error;
        failed = error;
        return undefined;
      }
    });
    if (!passed) throw failed!;
  }

  /** Waits until the message or signal has reached the instances that take it. */
  async published({ publicationID }: { publicationID: string }): Promise<void> {
    this.#publicationIDs.push(publicationID);
    const { client, projectID } = this.host;
    await this.#eventually(async () => {
      const { state } = await unwrap<Schemas['BpmnPublication']>(
        client.GET('/projects/{projectID}/bpmn/publications/{publicationID}', {
          params: { path: { projectID, publicationID } },
        }),
      );
      return state === 'CLAIMED' ? undefined : true;
    });
  }

  /** Nothing is left for the next scenario. */
  async end(): Promise<void> {
    const { client, projectID } = this.host;
    for (const publicationID of this.#publicationIDs)
      await unwrap(
        client.DELETE('/projects/{projectID}/bpmn/publications/{publicationID}', {
          params: { path: { projectID, publicationID } },
        }),
      ).catch(ifOver);
    if (this.#workflowID === undefined) return;
    const path = { projectID, workflowID: this.#workflowID };
    await unwrap(
      client.DELETE('/projects/{projectID}/bpmn/instances/{workflowID}', {
        params: { path, query: { reason: 'The scenario has ended' }, header: untilApplied },
      }),
    ).catch(ifOver);
  }

  async #eventually<Result>(read: () => Promise<Result | undefined>): Promise<Result | undefined> {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const result = await read();
      if (result !== undefined || performance.now() > until) return result;
      await pause(PAUSE_MS, undefined, { signal: this.#signal });
    }
  }
}

/**
 * @param concernsAll statuses that no step is responsible for, so that no other scenario could pass either
 * @throws StepFailed with the reason if the host refuses the request
 */
export async function accepted<Result>(
  response: Promise<Result>,
  concernsAll: readonly number[] = [401],
): Promise<Result> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof ApiError && error.status >= 400 && error.status < 500 && !concernsAll.includes(error.status))
      throw new StepFailed(error.message);
    throw error;
  }
}

function inside(instances: readonly HostInstance[], { in: call }: Place): readonly HostInstance[] {
  return call === undefined ? instances : instances.filter((instance) => instance.call === call);
}

/** The instance has ended, or the message was taken or has expired. */
export function ifOver(error: unknown): void {
  if (!(error instanceof ApiError && (error.status === 404 || error.status === 409))) throw error;
}
