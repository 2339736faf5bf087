/** Why kept messages and open subscriptions of one name do not match. */
import type { Json } from '@perdure/engine/contract/json.js';
import { canonicalJson } from '@perdure/lib/canonical-json.js';
import { rows, type Queryable } from '../sql/database.js';
import { channelOf, correlates, subscriptionKeys } from '../messages/correlation.js';
import { smallCorrelation } from './ended-publications.js';
import type { Publication } from './publications.js';

/** A member in which a message differs from what a subscription asks for. */
export interface Difference {
  /** JSON pointer into the correlation keys; empty for the whole. */
  path: string;
  reason: 'TYPE' | 'VALUE' | 'MISSING';
  /** The values in the subscription and in the message; absent if missing or large. */
  expected?: Json;
  found?: Json;
}

export interface NearMiss {
  workflowID: string;
  nodeID: string;
  correlation: Json | undefined;
  differences: Difference[];
}

const MAX_NEAR_MISSES = 20;
const MAX_DIFFERENCES = 20;
/** A subscription that matches is about to take the message, so hardly any candidate is one. */
const CANDIDATES = 2 * MAX_NEAR_MISSES;
const MAX_VALUE_CHARACTERS = 256;
const MAX_COUNTED = 100;

/** SQL: whether a message is kept for subscriptions to come. */
export const isKept = `p.type = 'message' AND p.claimed_by IS NULL AND (p.expires_at > now() OR p.match_at IS NOT NULL)`;

/** Open subscriptions of the message's name that do not match it, oldest first. */
export async function nearMisses(
  database: Queryable,
  { projectID, name, hasCorrelation, correlation }: Publication,
): Promise<NearMiss[]> {
  const given = hasCorrelation ? correlation : undefined;
  const open = await rows<{ workflowID: string; nodeID: string; isLarge: boolean; has: boolean; correlation: Json }>(
    database,
    `SELECT s.workflow_id AS "workflowID", s.node_id AS "nodeID", s.correlation IS NOT NULL AS has, ${smallCorrelation('s')} AS correlation,
       s.correlation IS NOT NULL AND ${smallCorrelation('s')} IS NULL AS "isLarge"
     FROM subscriptions s WHERE s.channel = $1 AND s.project_id = $2 AND s.publication_id IS NULL
     ORDER BY s.position LIMIT ${CANDIDATES}`,
    [channelOf('message', name), projectID],
  );
  return open
    .filter(({ isLarge }) => !isLarge)
    .map(({ workflowID, nodeID, has, correlation: asked }) => ({
      workflowID,
      nodeID,
      correlation: has ? asked : undefined,
    }))
    .filter((subscription) => !correlates(subscription.correlation, given))
    .slice(0, MAX_NEAR_MISSES)
    .map((subscription) => ({ ...subscription, differences: differencesOf(subscription.correlation, given) }));
}

/** Why a message with correlation `given` does not match a subscription with correlation `asked`; empty if it does. */
export function differencesOf(asked: Json | undefined, given: Json | undefined): Difference[] {
  const found: Difference[] = [];
  for (const difference of differences(asked, given, '')) {
    if (found.length === MAX_DIFFERENCES) break;
    found.push(difference);
  }
  return found;
}

function* differences(asked: Json | undefined, given: Json | undefined, path: string): Generator<Difference> {
  const shown = { path, ...shownAs('expected', asked), ...shownAs('found', given) };
  if (asked === undefined && given === undefined) return;
  if (given === undefined) yield { ...shown, reason: 'MISSING' };
  else if (asked === undefined) yield { ...shown, reason: 'VALUE' };
  else if (typeOf(asked) !== typeOf(given)) yield { ...shown, reason: 'TYPE' };
  else if (!isObject(asked)) {
    if (canonicalJson(asked) !== canonicalJson(given)) yield { ...shown, reason: 'VALUE' };
  } else
    for (const name of Object.keys(asked).toSorted()) {
      const member = Object.hasOwn(given as object, name) ? (given as typeof asked)[name] : undefined;
      yield* differences(asked[name], member, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    }
}

function shownAs(member: 'expected' | 'found', value: Json | undefined): Partial<Difference> {
  return value === undefined || JSON.stringify(value).length > MAX_VALUE_CHARACTERS ? {} : { [member]: value };
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

function isObject(value: Json): value is { [name: string]: Json } {
  return typeOf(value) === 'object';
}

/** A subscription whose kept messages are counted. */
export interface Asking {
  type: 'message' | 'signal';
  name: string;
  correlation: Json | undefined;
}

/**
 * How many kept messages of the name of each subscription do not match it, at most 100 each. A kept signal matches every
 * subscription of its name.
 */
export async function countUnmatched(
  database: Queryable,
  projectID: string,
  subscriptions: readonly Asking[],
): Promise<number[]> {
  const asking = subscriptions.map(({ type, name, correlation }) => {
    const channel = channelOf(type, name);
    return { channel, keys: subscriptionKeys(channel, correlation) };
  });
  // Messages without the keys do not match; the few that have them are compared by value.
  const kept = await rows<{ nth: number; without: number; candidates: { has: boolean; correlation: Json }[] | null }>(
    database,
    `SELECT a.nth::integer - 1 AS nth, k.without, k.candidates
     FROM unnest($2::text[], $3::json[]) WITH ORDINALITY AS a(channel, keys, nth) CROSS JOIN LATERAL (
       SELECT count(*) FILTER (WHERE NOT m.has_keys)::integer AS without,
         json_agg(json_build_object('has', m.correlation IS NOT NULL, 'correlation', m.correlation)) FILTER (WHERE m.has_keys) AS candidates
       FROM (
         SELECT p.keys @> ARRAY(SELECT json_array_elements_text(a.keys)) AS has_keys, p.correlation FROM publications p
         WHERE p.channel = a.channel AND p.project_id = $1 AND ${isKept} ORDER BY p.position LIMIT ${MAX_COUNTED}
       ) m
     ) k`,
    [projectID, asking.map(({ channel }) => channel), asking.map(({ keys }) => JSON.stringify(keys))],
  );
  const counts = subscriptions.map(() => 0);
  for (const { nth, without, candidates } of kept) {
    const { correlation } = subscriptions[nth]!;
    const others = (candidates ?? []).filter(
      (given) => !correlates(correlation, given.has ? given.correlation : undefined),
    );
    counts[nth] = without + others.length;
  }
  return counts;
}
