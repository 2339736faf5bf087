/** Messages and signals of a store under test. */
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { Json } from '@perdure/engine/contract/json.js';
import { channelsToMatch, matchChannel } from '../../../store/messages/matching.js';
import { publish, type PublishRequest } from '../../../store/messages/messages.js';
import { rows } from '../../../store/sql/database.js';
import { began, commitStep, projectID, start, valueOf, type TestStore } from './store.js';

export function publicationsOf(store: TestStore) {
  const opened = (
    subscription: number,
    name: string,
    correlation?: Json,
    type: 'message' | 'signal' = 'message',
  ): Fact => ({
    kind: 'SUBSCRIPTION_OPENED',
    subscription,
    element: 1,
    node: 'wait',
    type,
    name,
    ...(correlation !== undefined && { correlation }),
  });

  /** An instance that waits (number 3) for the message or signal. */
  async function waiting(
    name: string,
    correlation?: Json,
    { type = 'message', project = projectID }: { type?: 'message' | 'signal'; project?: string } = {},
  ): Promise<string> {
    const workflowID = await start(store, { project });
    await commitStep(store, workflowID, 1, [...began, opened(3, name, correlation, type)]);
    return workflowID;
  }

  async function send(request: Partial<PublishRequest> & { name: string }, limit?: number): Promise<string> {
    const published = await publish(
      store.database,
      { projectID, type: 'message', variables: {}, publishedBy: 'eda', ...request },
      limit,
    );
    if (published.kind === 'quota') throw new Error('the quota is reached');
    return published.publication.publicationID;
  }

  /** Does the work of the outbox relay until nothing is left to match. */
  async function matchAll(): Promise<void> {
    for (;;) {
      const channels = await channelsToMatch(store.database, 100);
      if (channels.length === 0) return;
      for (const channel of channels) await matchChannel(store.database, channel, true);
    }
  }

  const received = async (workflowID: string): Promise<string[]> => {
    const found = await rows<{ id: string }>(
      store.database,
      `SELECT body ->> 'publicationID' AS id FROM commands WHERE workflow_id = $1 ORDER BY number`,
      [workflowID],
    );
    return found.map(({ id }) => id);
  };

  const kept = (name: string) =>
    valueOf<number>(
      store,
      'SELECT count(*)::integer AS value FROM publications WHERE name = $1 AND claimed_by IS NULL',
      [name],
    );

  return { opened, waiting, send, matchAll, received, kept };
}
