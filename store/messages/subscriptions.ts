/**
 * Changes of a step commit in subscriptions and publications. Nothing is matched here, because a locked instance must
 * not wait for a channel; new rows are only marked as due.
 */
import type { StepCommit } from '@perdure/engine/contract/step-commit.js';
import { isNull } from '../sql/by-key.js';
import { channelOf, publicationKeys, subscriptionKeys } from './correlation.js';
import { MAX_TIME_TO_LIVE_MS, timeToLive } from './messages.js';
import { recordEnd } from '../publications/ended-publications.js';
import { Parameter, raw, rowsOf, sql, type Sql } from '../sql/builder.js';
import { rejectedCommands, type Part, type StepParameters } from '../steps/commit/part.js';
import type { StepChanges } from '../steps/project.js';
import { indexedText, jsonText } from '../sql/text.js';
import type { Transaction } from '../sql/database.js';

/** Parts of the statement that writes the step commit. */
export function messageParts(step: StepParameters, commit: StepCommit, changes: StepChanges): Part[] {
  const rejected = rejectedCommands(commit);
  return [
    ...(changes.subscriptionsOpened.size > 0 ? [opened(changes)] : []),
    ...(changes.subscriptionsClosed.length > 0 ? [closed(step, changes)] : []),
    ...(changes.publicationsTaken.length > 0 ? [taken(step, changes), takenEnded] : []),
    ...(rejected.length > 0 ? releasedParts(step, new Parameter(rejected), changes) : []),
    ...(changes.published.length > 0 ? [published(commit, changes)] : []),
  ];
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

function opened({ subscriptionsOpened }: StepChanges): Part {
  const all = [...subscriptionsOpened.values()].map((fact) => ({ ...fact, channel: channelOf(fact.type, fact.name) }));
  const subscription = rowsOf('s', all, {
    number: ['integer', (fact) => fact.subscription],
    element: ['integer', ({ element }) => element],
    node_id: ['text', ({ node }) => node],
    type: ['text', ({ type }) => type],
    name: ['text', ({ name }) => indexedText(name)],
    channel: ['text', ({ channel }) => channel],
    keys: ['json', ({ channel, correlation }) => JSON.stringify(subscriptionKeys(channel, correlation))],
    correlation: ['json', ({ correlation }) => jsonText(correlation)],
  });
  return {
    name: 'subscriptions_opened',
    sql: sql`
      INSERT INTO subscriptions (workflow_id, number, project_id, element, node_id, type, name, channel, key, keys, correlation, match_at)
      SELECT w.workflow_id, s.number, w.project_id, s.element, s.node_id, s.type, s.name, s.channel,
        s.keys ->> 0, ARRAY(SELECT json_array_elements_text(s.keys)), s.correlation, now()
      FROM writable w, ${subscription}`,
  };
}

function closed({ workflowID }: StepParameters, { subscriptionsClosed }: StepChanges): Part {
  return {
    name: 'subscriptions_closed',
    sql: sql`DELETE FROM subscriptions s USING writable w WHERE s.workflow_id = ${workflowID} AND s.number = ANY(${subscriptionsClosed}::integer[])`,
  };
}

/** A signal also exists for other subscribers. */
function taken({ workflowID }: StepParameters, { publicationsTaken }: StepChanges): Part {
  return {
    name: 'messages_taken',
    sql: sql`DELETE FROM publications p USING writable w WHERE p.claimed_by = ${workflowID} AND p.id = ANY(${publicationsTaken}::uuid[]) RETURNING p.*`,
  };
}

const takenEnded: Part = {
  name: 'messages_ended',
  sql: raw(
    recordEnd({
      from: 'messages_taken p',
      state: 'TAKEN',
      takenBy: 'p.claimed_by',
      takenNode:
        '(SELECT s.node_id FROM subscriptions s WHERE s.workflow_id = p.claimed_by AND s.number = p.claimed_subscription)',
    }),
  ),
};

function releasedParts(step: StepParameters, rejected: Parameter, { subscriptionsClosed }: StepChanges): Part[] {
  const { workflowID } = step;
  const late = unheard(step, rejected);
  return [
    {
      name: 'messages_released',
      sql: sql`
      UPDATE publications p SET claimed_by = NULL, claimed_command = NULL, claimed_subscription = NULL, match_at = now() FROM writable w
      WHERE p.claimed_by = ${workflowID} AND p.claimed_command = ANY(${rejected}::integer[])`,
    },
    {
      name: 'signals_released',
      sql: sql`
      DELETE FROM signal_deliveries d USING (${late}) u
      WHERE d.workflow_id = u.workflow_id AND d.publication_id = u.publication_id RETURNING d.publication_id`,
    },
    {
      name: 'signals_uncounted',
      sql: raw(
        'UPDATE publications p SET reached = p.reached - 1 FROM signals_released r WHERE p.id = r.publication_id',
      ),
    },
    {
      // Subscriptions that were open next to the closed one have been matched without the signal.
      name: 'signals_due_again',
      sql: sql`
      UPDATE subscriptions s SET match_at = now() FROM (${late}) u
      WHERE s.workflow_id = u.workflow_id AND s.channel = u.channel AND ${raw(isNull('s.publication_id'))} AND s.number <> ALL(${subscriptionsClosed}::integer[])`,
    },
  ];
}

/**
 * Deliveries of signals that came too late, unless the instance has received the signal through another subscription or
 * still will, possibly through its next one. Changes that this commit makes to commands are not visible here yet. The
 * signal has its own column, because Postgres may be unable to decode the body of a command.
 */
function unheard({ workflowID }: StepParameters, rejected: Parameter): Sql {
  return sql`
      SELECT late.workflow_id, p.id AS publication_id, p.channel
      FROM writable w JOIN commands late ON late.workflow_id = ${workflowID} AND late.number = ANY(${rejected}::integer[])
      JOIN publications p ON p.id = late.signal_id
      WHERE NOT EXISTS (
        SELECT 1 FROM commands other
        WHERE other.workflow_id = ${workflowID} AND other.status <> 'REJECTED'
          AND other.number <> ALL(${rejected}::integer[]) AND other.signal_id = late.signal_id)`;
}

function published({ traceContext }: StepCommit, { published: facts }: StepChanges): Part {
  const all = facts.map((fact) => {
    const type = fact.kind === 'MESSAGE_PUBLISHED' ? ('message' as const) : ('signal' as const);
    const correlation = fact.kind === 'MESSAGE_PUBLISHED' ? fact.correlation : undefined;
    return { ...fact, type, correlation, channel: channelOf(type, fact.name) };
  });
  const publication = rowsOf('p', all, {
    type: ['text', ({ type }) => type],
    name: ['text', ({ name }) => indexedText(name)],
    channel: ['text', ({ channel }) => channel],
    keys: ['json', ({ channel, correlation }) => JSON.stringify(publicationKeys(channel, correlation))],
    correlation: ['json', ({ correlation }) => jsonText(correlation)],
    variables: ['json', ({ variables }) => JSON.stringify(variables)],
    ttl: ['float8', ({ ttl }) => (ttl === undefined ? null : Math.min(ttl, MAX_TIME_TO_LIVE_MS))],
  });
  const ttl = timeToLive({ ttl: 'p.ttl', type: 'p.type', projectID: 'w.project_id' });
  return {
    name: 'published',
    sql: sql`
      INSERT INTO publications (project_id, type, name, channel, keys, correlation, variables, trace_context, expires_at, match_at)
      SELECT w.project_id, p.type, p.name, p.channel, ARRAY(SELECT json_array_elements_text(p.keys)), p.correlation, p.variables,
        ${jsonText(traceContext)}::json, now() + ${raw(ttl)} * interval '1 millisecond', now()
      FROM writable w, ${publication}`,
  };
}
