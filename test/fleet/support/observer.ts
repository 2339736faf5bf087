/** Results that the callers of a fleet have seen. */
import type { PerdureClient } from '@perdure/client';

export interface Observer {
  /** Calls that failed at their callers for a reason of the host's. */
  failures: string[];
  /** How often each job was leased. */
  handOuts: Map<string, number>;
}

/** Watches what is left of each call after the client has tried again where it may. */
export function observe(client: PerdureClient, { failures, handOuts }: Observer): void {
  client.use({
    async onResponse({ request, response, schemaPath }) {
      if (response.status >= 500) failures.push(`${request.method} ${schemaPath} answered ${response.status}`);
      if (!schemaPath.endsWith('/external-jobs/poll') || response.status !== 200) return;
      for (const { executionKey } of (await response.clone().json()) as { executionKey: string }[]) {
        handOuts.set(executionKey, (handOuts.get(executionKey) ?? 0) + 1);
      }
    },
    onError({ request, schemaPath, error }) {
      if (!request.signal.aborted) failures.push(`${request.method} ${schemaPath}: ${String(error)}`);
    },
  });
}
