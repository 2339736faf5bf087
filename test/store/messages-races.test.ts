/**
 * Publications against subscriptions that open and close at the same time: each message is taken at most once, and
 * none is lost. `MESSAGE_RACES` sets how many messages (default 75).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Fact } from '@perdure/engine/contract/facts.js';
import { rows } from '../../store/sql/database.js';
import { publish } from '../../store/messages/messages.js';
import { channelsToMatch, matchChannel } from '../../store/messages/matching.js';
import { began, deploy, commitStep, projectID, start, useStore } from './support/store.js';

const store = useStore();
const messages = Number(process.env['MESSAGE_RACES'] ?? 75);
const names = 5;
const instances = 20;
/** Between two looks for a command: receivers that never pause would leave nothing to the matches. */
const POLL_MS = 25;

interface Command {
  number: number;
  execution: number;
  publicationID: string;
}

const opened = (subscription: number, name: string): Fact => ({
  kind: 'SUBSCRIPTION_OPENED',
  subscription,
  element: 1,
  node: 'wait',
  type: 'message',
  name,
});

it('matching uses every message at most once and loses none', { timeout: 60_000 + messages * 300 }, async () => {
  const run = randomUUID();
  const nameOf = (index: number) => `${run}-${index % names}`;
  const { definitionID } = await deploy(store);
  const taken: string[] = [];
  let published = 0;

  /** Opens a subscription, then takes what has come by then, or closes it so that what comes is late. */
  async function receive(index: number): Promise<void> {
    const workflowID = await start(store, { definitionID });
    await commitStep(store, workflowID, 1, began);
    let handled = 0;
    for (let number = 2; taken.length < messages; number += 2) {
      const subscription = number * 10;
      await commitStep(store, workflowID, number, [opened(subscription, nameOf(index))]);
      const close = number % 3 === 0;
      const command = close ? undefined : await commandAfter(workflowID, handled);
      if (command?.execution === subscription) {
        handled = command.number;
        taken.push(command.publicationID);
        await commitStep(
          store,
          workflowID,
          number + 1,
          [{ kind: 'SUBSCRIPTION_CLOSED', subscription, reason: 'CONSUMED', publicationID: command.publicationID }],
          {
            outcomes: [{ number: command.number, status: 'APPLIED' }],
          },
        );
        continue;
      }
      if (command) handled = command.number;
      const outcomes = command
        ? [{ number: command.number, status: 'REJECTED' as const, code: 'CONFLICT' as const }]
        : [];
      await commitStep(
        store,
        workflowID,
        number + 1,
        [{ kind: 'SUBSCRIPTION_CLOSED', subscription, reason: 'CANCELED' }],
        { outcomes },
      );
      // Messages for it in the meantime get the engine's outcome.
      for (
        let late = await commandAfter(workflowID, handled, 1);
        late;
        late = await commandAfter(workflowID, handled, 1)
      ) {
        handled = late.number;
        number += 1;
        await commitStep(store, workflowID, number + 1, [], {
          outcomes: [{ number: late.number, status: 'REJECTED', code: 'CONFLICT' }],
        });
      }
    }
  }

  async function commandAfter(workflowID: string, number: number, looks = 20): Promise<Command | undefined> {
    for (let look = 0; look < looks; look += 1) {
      const [found] = await rows<Command>(
        store.database,
        `SELECT number, (body ->> 'execution')::integer AS execution, body ->> 'publicationID' AS "publicationID" FROM commands
         WHERE workflow_id = $1 AND number > $2 ORDER BY number LIMIT 1`,
        [workflowID, number],
      );
      if (found) return found;
      await delay(POLL_MS);
    }
    return undefined;
  }

  async function send(): Promise<void> {
    while (published < messages) {
      published += 1;
      const request = {
        projectID,
        type: 'message' as const,
        name: nameOf(published),
        variables: {},
        publishedBy: 'eda',
      };
      expect(await publish(store.database, request)).toMatchObject({ kind: 'published' });
    }
  }

  async function match(): Promise<void> {
    while (taken.length < messages) {
      for (const channel of await channelsToMatch(store.database, 10))
        await matchChannel(store.database, channel, true);
    }
  }

  await Promise.all([
    ...Array.from({ length: instances }, (_, index) => receive(index)),
    send(),
    send(),
    send(),
    match(),
    match(),
  ]);
  expect(new Set(taken).size).toBe(messages);
  expect(taken).toHaveLength(messages);
});
