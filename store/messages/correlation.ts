/**
 * Correlation of messages and subscriptions, and the index keys that find candidates. Values are compared with their
 * types: 1, "1" and true are three values. An object matches if every member in the subscription is equal.
 */
import { createHash } from 'node:crypto';
import type { Json } from '@perdure/engine/contract/json.js';
import { canonicalJson } from '@perdure/lib/canonical-json.js';

export type PublicationType = 'message' | 'signal';

/**
 * Maximum leaves of a message's correlation that can be used to find subscriptions; leaves beyond that match nothing.
 */
const MAX_KEYS = 1_000;

/** Maximum leaves of a subscription's correlation that are compared by key; the rest is compared by value. */
const MAX_ASKED_KEYS = 8;

/** Represents any member value that is not an object. */
const ANY_OBJECT = 'object';

/** Publications and subscriptions of one name, which are matched together. */
export interface Channel {
  projectID: string;
  /** By `channelOf`. */
  channel: string;
}

/** The channel shared by publications and subscriptions of one name, within a project. */
export function channelOf(type: PublicationType, name: string): string {
  return hash(`${type}\0${name}`);
}

/**
 * Keys of a subscription: parts of its correlation that every matching message has. The first one is the lookup key;
 * the others exclude, in the same lookup, messages that share only the first key with thousands.
 */
export function subscriptionKeys(channel: string, correlation: Json | undefined): [string, ...string[]] {
  if (correlation === undefined) return [hash(`${channel}\0none`)];
  const [first = ANY_OBJECT, ...others] = firstLeaves(correlation, MAX_ASKED_KEYS);
  return [hash(`${channel}\0${first}`), ...others.map((leaf) => hash(`${channel}\0${leaf}`))];
}

/** The keys of every subscription that the publication may match. */
export function publicationKeys(channel: string, correlation: Json | undefined): string[] {
  if (correlation === undefined) return subscriptionKeys(channel, undefined);
  const keys = isObject(correlation) ? [ANY_OBJECT] : [];
  keys.push(...firstLeaves(correlation, MAX_KEYS - keys.length));
  return keys.map((key) => hash(`${channel}\0${key}`));
}

/** Whether a message with correlation `given` matches a subscription with correlation `asked`. */
export function correlates(asked: Json | undefined, given: Json | undefined): boolean {
  if (asked === undefined || given === undefined) return asked === given;
  if (!isObject(asked)) return canonicalJson(asked) === canonicalJson(given);
  if (!isObject(given)) return false;
  return Object.keys(asked).every((name) => Object.hasOwn(given, name) && correlates(asked[name], given[name]));
}

function firstLeaves(value: Json, count: number): string[] {
  const found: string[] = [];
  for (const leaf of leaves(value)) {
    if (found.length === count) break;
    found.push(leaf);
  }
  return found;
}

/** Path and value of every non-object inside, in order of member names. */
function* leaves(value: Json, path: readonly string[] = []): Generator<string> {
  if (!isObject(value)) {
    yield canonicalJson([path, value]);
    return;
  }
  for (const name of Object.keys(value).sort()) yield* leaves(value[name]!, [...path, name]);
}

function isObject(value: Json): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
