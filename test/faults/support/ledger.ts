/** Results that the host has acknowledged: its rows must have each entry once. */
import type { PerdureClient } from '@perdure/client';

export interface Acknowledged {
  /** The command that carries it out. */
  kind: 'COMPLETE_JOB' | 'THROW_JOB_ERROR' | 'COMPLETE_USER_TASK';
  executionKey: string;
  variables: unknown;
}

const kinds: { [path: string]: Acknowledged['kind'] } = {
  '/projects/{projectID}/bpmn/external-jobs/{executionKey}/complete': 'COMPLETE_JOB',
  '/projects/{projectID}/bpmn/external-jobs/{executionKey}/error': 'THROW_JOB_ERROR',
  '/projects/{projectID}/bpmn/user-tasks/{executionKey}/complete': 'COMPLETE_USER_TASK',
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

/** Writes down each answer to the client that says yes. */
export function record(client: PerdureClient, ledger: Ledger): void {
  client.use({
    async onResponse({ schemaPath, params, request, response }) {
      const kind = kinds[schemaPath];
      if (!kind || !response.ok) return;
      const { variables } = (await request.clone().json()) as { variables?: unknown };
      ledger.add({ kind, executionKey: String(params.path?.['executionKey']), variables });
    },
  });
}
