/** Backtests and batches of one project, through the API, whether it can be reached at the moment or not. */
import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import { unwrap, type PerdureClient, type Schemas } from '@perdure/client';
import { sequenceModel, serviceTask } from '@perdure/testkit/models';

export type Backtest = Schemas['BpmnBacktest'];
export type Batch = Awaited<ReturnType<BackgroundWork['readBatch']>>;

interface BackgroundWorkOptions {
  editor: PerdureClient;
  viewer: PerdureClient;
  projectID: string;
  /** The version that backtests of a version compare with. */
  definitionID: string;
  /** For how many milliseconds the work is waited for. */
  patience: number;
}

/** More than there are. */
const ALL = 100_000;
const CALLERS = 16;

export class BackgroundWork {
  readonly #options: BackgroundWorkOptions;
  readonly #editor: PerdureClient;
  readonly #project: { projectID: string };

  constructor(options: BackgroundWorkOptions) {
    this.#options = options;
    this.#editor = options.editor;
    this.#project = { projectID: options.projectID };
  }

  /** Compares with the version. @returns the id */
  async backtest(body: Schemas['CreateBpmnBacktestRequest'] = { newest: ALL }): Promise<string> {
    const params = { path: { ...this.#project, definitionID: this.#options.definitionID } };
    const accepted = await unwrap(
      this.#editor.POST('/projects/{projectID}/bpmn/definitions/{definitionID}/backtests', { params, body }),
    );
    return accepted.backtestID;
  }

  async backtestOfDraft(resourceID: string): Promise<string> {
    const params = { path: { ...this.#project, resourceID } };
    const accepted = await unwrap(
      this.#editor.POST('/projects/{projectID}/bpmn/resources/{resourceID}/backtests', {
        params,
        body: { newest: ALL },
      }),
    );
    return accepted.backtestID;
  }

  async draftOf(xml: string): Promise<string> {
    const draft = await unwrap(
      this.#editor.POST('/projects/{projectID}/bpmn/resources', {
        params: { path: this.#project },
        body: { name: 'changed', xml },
      }),
    );
    return draft.id;
  }

  async deleteDraft(resourceID: string): Promise<void> {
    const params = { path: { ...this.#project, resourceID } };
    await unwrap(this.#editor.DELETE('/projects/{projectID}/bpmn/resources/{resourceID}', { params }));
  }

  /** The backtest as the API returns it; its counts add up at every read. */
  async read(backtestID: string): Promise<Backtest> {
    const params = { path: { ...this.#project, backtestID } };
    const backtest = await unwrap(
      this.#options.viewer.GET('/projects/{projectID}/bpmn/backtests/{backtestID}', { params }),
    );
    expect(Object.values(backtest.counts).reduce((sum, count) => sum + count, 0)).toBe(backtest.done);
    return backtest;
  }

  until(backtestID: string, isWanted: (backtest: Backtest) => boolean): Promise<Backtest> {
    return this.#until(() => this.read(backtestID), isWanted);
  }

  untilCompleted(backtestID: string): Promise<Backtest> {
    return this.until(backtestID, ({ status }) => status === 'COMPLETED');
  }

  async itemsOf(backtestID: string, outcome: 'OTHER_PATH'): Promise<Schemas['BpmnBacktestItem'][]> {
    const params = { path: { ...this.#project, backtestID }, query: { outcome, pageSize: 100 } };
    const { data } = await unwrap(
      this.#options.viewer.GET('/projects/{projectID}/bpmn/backtests/{backtestID}/items', { params }),
    );
    return data;
  }

  async cancelBacktest(backtestID: string): Promise<void> {
    const params = { path: { ...this.#project, backtestID } };
    const body = { reason: 'seen enough' };
    await unwrap(this.#editor.POST('/projects/{projectID}/bpmn/backtests/{backtestID}/cancel', { params, body }));
  }

  /** Deploys a process, and starts instances that wait for a job without a worker. */
  async startWaiting(processId: string, count: number): Promise<void> {
    const params = { path: this.#project };
    await unwrap(
      this.#editor.POST('/projects/{projectID}/bpmn/deployments', {
        params,
        body: { files: [{ name: `${processId}.bpmn`, content: sequenceModel(processId, [serviceTask('pack')]) }] },
      }),
    );
    let left = count;
    const caller = async () => {
      while (left-- > 0)
        await unwrap(this.#editor.POST('/projects/{projectID}/bpmn/instances', { params, body: { processId } }));
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
  }

  /** For all running instances of a process. @returns the id */
  async batch(
    processId: string,
    body: {
      operation: 'SET_VARIABLES' | 'CANCEL';
      variables?: Record<string, unknown>;
      itemsPerSecond: number;
    },
  ): Promise<string> {
    const accepted = await unwrap(
      this.#editor.POST('/projects/{projectID}/bpmn/batches', {
        params: { path: this.#project, header: { 'Idempotency-Key': randomUUID() } },
        body: { ...body, filter: { processId, status: ['RUNNING'] }, reason: 'late parcels' },
      }),
    );
    if (!('batchID' in accepted)) expect.fail(`The host accepted no batch: ${JSON.stringify(accepted)}`);
    return accepted.batchID;
  }

  /** The batch as the API returns it; its counts add up at every read. */
  async readBatch(batchID: string) {
    const params = { path: { ...this.#project, batchID } };
    const batch = await unwrap(this.#editor.GET('/projects/{projectID}/bpmn/batches/{batchID}', { params }));
    expect(Object.values(batch.counts).reduce((sum, count) => sum + count, 0)).toBe(batch.total);
    return batch;
  }

  untilBatch(batchID: string, isWanted: (batch: Batch) => boolean): Promise<Batch> {
    return this.#until(() => this.readBatch(batchID), isWanted);
  }

  async cancelBatch(batchID: string): Promise<void> {
    const params = { path: { ...this.#project, batchID } };
    const body = { reason: 'wrong filter' };
    await unwrap(this.#editor.POST('/projects/{projectID}/bpmn/batches/{batchID}/cancel', { params, body }));
  }

  async pauseBatch(batchID: string): Promise<void> {
    const params = { path: { ...this.#project, batchID } };
    const body = { reason: 'too late' };
    await unwrap(this.#editor.POST('/projects/{projectID}/bpmn/batches/{batchID}/pause', { params, body }));
  }

  /** Also while the host is down. */
  #until<T extends { status: string; counts: object }>(
    read: () => Promise<T>,
    isWanted: (work: T) => boolean,
  ): Promise<T> {
    return vi.waitFor(
      async () => {
        const found = await read();
        expect(isWanted(found), `the status is ${found.status} with ${JSON.stringify(found.counts)}`).toBe(true);
        return found;
      },
      { timeout: this.#options.patience, interval: 100 },
    );
  }
}
