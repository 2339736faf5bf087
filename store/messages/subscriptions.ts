/**
 * Changes of a step commit in subscriptions and publications. Nothing is matched here, because a locked instance must
 * not wait for a channel; new rows are only marked as due.
 */
import type { StepCommit } from '@perdure/engine/contract/step-commit.js';
import { isNull } from '../sql/by-key.js';
import { channelOf, publicationKeys, subscriptionKeys } from './correlation.js';
import { MAX_TIME_TO_LIVE_MS, timeToLive } from './messages.js';
import { recordEnd } from '../publications/ended-publications.js';
import type { Part } from '../steps/step-commit-statement.js';
import type { StepChanges } from '../steps/project.js';
import { indexedText, jsonText } from '../sql/text.js';
import type { Transaction } from '../sql/database.js';

/** Parts of the statement that writes the step commit. */
export function messageParts(commit: StepCommit, changes: StepChanges): Part[] {
  const parts: Part[] = [];
  if (changes.subscriptionsOpened.size > 0) parts.push(opened(changes));
  if (changes.subscriptionsClosed.length > 0) parts.push(closed(changes));
  if (changes.publicationsTaken.length > 0) parts.push(taken(changes), takenEnded);
  const rejected = rejectedCommands(commit);
  if (rejected.length > 0)
    parts.push(released(rejected), signalsReleased(rejected), signalsUncounted, signalsDueAgain(rejected, changes));
  if (changes.published.length > 0) parts.push(published(commit, changes));
  return parts;
}

/** Whether the outbox relay has something to match after the commit. */
export function leavesSomethingToMatch(commit: StepCommit, changes: StepChanges): boolean {
  return changes.subscriptionsOpened.size > 0 || changes.published.length > 0 || rejectedCommands(commit).length > 0;
}

/** An ended instance takes nothing anymore: messages on their way to it are matched again. */
export async function releaseMessages(transaction: Transaction, workflowID: string): Promise<void> {
  await transaction.query(`${release} WHERE claimed_by = $1`, [workflowID]);
}

const release =
  'UPDATE publications SET claimed_by = NULL, claimed_command = NULL, claimed_subscription = NULL, match_at = now()';

function rejectedCommands({ outcomes }: StepCommit): number[] {
  return outcomes.filter(({ status }) => status === 'REJECTED').map(({ number }) => number);
}

function opened({ subscriptionsOpened }: StepChanges): Part {
  const all = [...subscriptionsOpened.values()].map((fact) => ({ ...fact, channel: channelOf(fact.type, fact.name) }));
  return {
    name: 'subscriptions_opened',
    sql: (place) => `
      INSERT INTO subscriptions (workflow_id, number, project_id, element, node_id, type, name, channel, key, keys, correlation, match_at)
      SELECT w.workflow_id, s.number, w.project_id, s.element, s.node_id, s.type, s.name, s.channel, s.keys ->> 0, ARRAY(SELECT json_array_elements_text(s.keys)), s.correlation, now()
      FROM writable w, unnest(${place(0)}::integer[], ${place(1)}::integer[], ${place(2)}::text[], ${place(3)}::text[],
        ${place(4)}::text[], ${place(5)}::text[], ${place(6)}::json[], ${place(7)}::json[])
        AS s(number, element, node_id, type, name, channel, keys, correlation)`,
    values: [
      all.map(({ subscription }) => subscription),
      all.map(({ element }) => element),
      all.map(({ node }) => node),
      all.map(({ type }) => type),
      all.map(({ name }) => indexedText(name)),
      all.map(({ channel }) => channel),
      all.map(({ channel, correlation }) => JSON.stringify(subscriptionKeys(channel, correlation))),
      all.map(({ correlation }) => jsonText(correlation)),
    ],
  };
}

function closed({ subscriptionsClosed }: StepChanges): Part {
  return {
    name: 'subscriptions_closed',
    sql: (place) =>
      `DELETE FROM subscriptions s USING writable w WHERE s.workflow_id = $1 AND s.number = ANY(${place(0)}::integer[])`,
    values: [subscriptionsClosed],
  };
}

/** A signal also exists for other subscribers. */
function taken({ publicationsTaken }: StepChanges): Part {
  return {
    name: 'messages_taken',
    sql: (place) =>
      `DELETE FROM publications p USING writable w WHERE p.claimed_by = $1 AND p.id = ANY(${place(0)}::uuid[]) RETURNING p.*`,
    values: [publicationsTaken],
  };
}

const takenEnded: Part = {
  name: 'messages_ended',
  sql: () =>
    recordEnd({
      from: 'messages_taken p',
      state: 'TAKEN',
      takenBy: '$1',
      takenNode:
        '(SELECT s.node_id FROM subscriptions s WHERE s.workflow_id = $1 AND s.number = p.claimed_subscription)',
    }),
  values: [],
};

function released(rejected: number[]): Part {
  return {
    name: 'messages_released',
    sql: (place) => `
      UPDATE publications p SET claimed_by = NULL, claimed_command = NULL, claimed_subscription = NULL, match_at = now() FROM writable w
      WHERE p.claimed_by = $1 AND p.claimed_command = ANY(${place(0)}::integer[])`,
    values: [rejected],
  };
}

/**
 * Deliveries of signals that came too late, unless the instance has received the signal through another subscription or
 * still will, possibly through its next one. Changes that this commit makes to commands are not visible here yet. The
 * signal has its own column, because Postgres may be unable to decode the body of a command.
 */
const unheard = (rejected: string) => `
      SELECT late.workflow_id, p.id AS publication_id, p.channel
      FROM writable w JOIN commands late ON late.workflow_id = $1 AND late.number = ANY(${rejected}::integer[])
      JOIN publications p ON p.id = late.signal_id
      WHERE NOT EXISTS (
        SELECT 1 FROM commands other
        WHERE other.workflow_id = $1 AND other.status <> 'REJECTED'
          AND other.number <> ALL(${rejected}::integer[]) AND other.signal_id = late.signal_id)`;

function signalsReleased(rejected: number[]): Part {
  return {
    name: 'signals_released',
    sql: (place) => `
      DELETE FROM signal_deliveries d USING (${unheard(place(0))}) u
      WHERE d.workflow_id = u.workflow_id AND d.publication_id = u.publication_id RETURNING d.publication_id`,
    values: [rejected],
  };
}

const signalsUncounted: Part = {
  name: 'signals_uncounted',
  sql: () => 'UPDATE publications p SET reached = p.reached - 1 FROM signals_released r WHERE p.id = r.publication_id',
  values: [],
};

/** Subscriptions that were open next to the closed one have been matched without the signal. */
function signalsDueAgain(rejected: number[], { subscriptionsClosed }: StepChanges): Part {
  return {
    name: 'signals_due_again',
    sql: (place) => `
      UPDATE subscriptions s SET match_at = now() FROM (${unheard(place(0))}) u
      WHERE s.workflow_id = u.workflow_id AND s.channel = u.channel AND ${isNull('s.publication_id')} AND s.number <> ALL(${place(1)}::integer[])`,
    values: [rejected, subscriptionsClosed],
  };
}

function published({ traceContext }: StepCommit, { published: facts }: StepChanges): Part {
  const all = facts.map((fact) => {
    const type = fact.kind === 'MESSAGE_PUBLISHED' ? ('message' as const) : ('signal' as const);
    const correlation = fact.kind === 'MESSAGE_PUBLISHED' ? fact.correlation : undefined;
    return { ...fact, type, correlation, channel: channelOf(type, fact.name) };
  });
  return {
    name: 'published',
    sql: (place) => `
      INSERT INTO publications (project_id, type, name, channel, keys, correlation, variables, trace_context, expires_at, match_at)
      SELECT w.project_id, p.type, p.name, p.channel, ARRAY(SELECT json_array_elements_text(p.keys)), p.correlation, p.variables,
        ${place(7)}::json, now() + ${timeToLive({ ttl: 'p.ttl', type: 'p.type', projectID: 'w.project_id' })} * interval '1 millisecond', now()
      FROM writable w, unnest(${place(0)}::text[], ${place(1)}::text[], ${place(2)}::text[], ${place(3)}::json[], ${place(4)}::json[],
        ${place(5)}::json[], ${place(6)}::float8[]) AS p(type, name, channel, keys, correlation, variables, ttl)`,
    values: [
      all.map(({ type }) => type),
      all.map(({ name }) => indexedText(name)),
      all.map(({ channel }) => channel),
      all.map(({ channel, correlation }) => JSON.stringify(publicationKeys(channel, correlation))),
      all.map(({ correlation }) => jsonText(correlation)),
      all.map(({ variables }) => JSON.stringify(variables)),
      all.map(({ ttl }) => (ttl === undefined ? null : Math.min(ttl, MAX_TIME_TO_LIVE_MS))),
      jsonText(traceContext),
    ],
  };
}
