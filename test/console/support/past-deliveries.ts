/** Deliveries that have failed, as hosts would have recorded them, for tests that cannot wait for days. */
import { Client } from 'pg';

/** A delivery to a hook that failed. Without a body, nothing of it was kept. */
export interface FailedDelivery {
  problem: string;
  body?: string;
}

export function insertFailedDeliveries(
  databaseUrl: string,
  hookID: string,
  deliveries: readonly FailedDelivery[],
): Promise<void> {
  return withClient(databaseUrl, async (client) => {
    for (const { problem, body } of deliveries)
      await client.query(
        `INSERT INTO hook_deliveries (project_id, hook_id, received_at, outcome, problem, body, request)
         VALUES ('demo', $1, now() - interval '3 hours', 'FAILED', $2, $3, $4)`,
        [
          hookID,
          problem,
          body,
          body === undefined ? null : { contentType: 'application/json', query: '', headers: {} },
        ],
      );
  });
}

/** A subscription that has failed for two days, with dead letters for these instances. */
export function insertDeadLetters(
  databaseUrl: string,
  subscriptionID: string,
  workflowIDs: readonly string[],
): Promise<void> {
  const problem = 'HTTP_CONNECTION: connect ECONNREFUSED warehouse.example.invalid:443';
  return withClient(databaseUrl, async (client) => {
    await client.query('BEGIN');
    // Ahead of the events, which no connector then takes for new ones.
    await client.query(
      `UPDATE event_subscriptions SET position = 999999, failing_since = now() - interval '2 days', last_error = $2
       WHERE id = $1`,
      [subscriptionID, problem],
    );
    for (const [index, workflowID] of workflowIDs.entries()) {
      const position = 900_000 + index;
      await client.query(
        `INSERT INTO events (position, project_id, type, subject, workflow_id, process_id, happened_at, data)
         VALUES ($1, 'demo', 'instance.failed', $2, $2, 'order', now() - interval '4 days', '{"processId": "order"}')`,
        [position, workflowID],
      );
      await client.query(
        `INSERT INTO event_deliveries (subscription_id, position, order_key, workflow_id, attempts, last_error, dead_at)
         VALUES ($1, $2, $3, $3, 82, $4, now() - interval '1 day')`,
        [subscriptionID, position, workflowID, problem],
      );
    }
    await client.query('COMMIT');
  });
}

async function withClient(databaseUrl: string, run: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await run(client);
  } finally {
    await client.end();
  }
}
