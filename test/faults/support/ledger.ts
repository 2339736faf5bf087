/** What the host has acknowledged: each entry has to be found in its rows afterwards, once. */
import { RestClient, type PostOptions, type RestClientOptions } from '../../../examples/order-fulfilment/rest-client.js';

export interface Acknowledged {
  /** The command that carries it out. */
  kind: 'COMPLETE_JOB' | 'THROW_JOB_ERROR' | 'COMPLETE_USER_TASK';
  executionKey: string;
  variables: unknown;
}

const kinds: { [path: string]: Acknowledged['kind'] } = {
  'external-jobs complete': 'COMPLETE_JOB',
  'external-jobs error': 'THROW_JOB_ERROR',
  'user-tasks complete': 'COMPLETE_USER_TASK',
};

export class Ledger {
  readonly entries: Acknowledged[] = [];
  private readonly waiting: { count: number; resolve: () => void }[] = [];

  add(entry: Acknowledged): void {
    this.entries.push(entry);
    for (const { count, resolve } of this.waiting) if (this.entries.length >= count) resolve();
  }

  /** Settles once there are so many entries. */
  reaches(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push({ count, resolve });
      if (this.entries.length >= count) resolve();
    });
  }
}

/** The client of the example, writing down each answer that says yes. */
export class RecordingClient extends RestClient {
  constructor(
    options: RestClientOptions,
    private readonly ledger: Ledger,
  ) {
    super(options);
  }

  override async post<T>(path: string, body?: unknown, options?: PostOptions): Promise<T> {
    const answer = await super.post<T>(path, body, options);
    const [, noun, key, verb] = /^\/bpmn\/([\w-]+)\/([^/]+)\/(\w+)$/.exec(path) ?? [];
    const kind = kinds[`${noun} ${verb}`];
    if (kind && key) this.ledger.add({ kind, executionKey: decodeURIComponent(key), variables: (body as { variables?: unknown }).variables });
    return answer;
  }
}
