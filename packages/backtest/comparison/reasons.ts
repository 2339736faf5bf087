/** Fixed sentences about a difference, with ids and names of the models only. */
import type { Model } from '@perdure/engine/model/model.js';
import { NO_START, TOO_MANY_STEPS, type Comparison } from './outcome.js';

const MAX_NAMED = 5;

/** @returns undefined if there is no difference */
export function reasonFor(
  { outcome, first, problem, request }: Comparison,
  recorded: Model,
  candidate: Model,
): string | undefined {
  const name = (id: string) => nameOf(id, candidate, recorded);
  switch (outcome) {
    case 'SAME':
      return undefined;
    case 'INCIDENT':
      return problem === NO_START
        ? `The version has no place to start at ${name(first!.nodeID)}`
        : `${problem === TOO_MANY_STEPS ? 'Too many steps without an end' : problem} at ${name(first!.nodeID)}`;
    case 'UNANSWERED':
      if (request)
        return `${name(first!.nodeID)} asks its model something else in turn ${request.turn}: another value of ${request.part}`;
      return `${name(first!.nodeID)} waits for something that was never answered`;
    case 'OTHER_RESULT':
      return first
        ? `The same path; ${name(first.nodeID)} sets other values`
        : 'The same path, and other values of variables';
    case 'OTHER_PATH':
      return wayOf(first!, name);
  }
}

function wayOf(
  { nodeID, expected = [], found = [] }: NonNullable<Comparison['first']>,
  name: (id: string) => string,
): string {
  const all = (ids: readonly string[]) =>
    [...ids.slice(0, MAX_NAMED).map(name), ...(ids.length > MAX_NAMED ? [`${ids.length - MAX_NAMED} more`] : [])].join(
      ', ',
    );
  if (expected.length > 0 && found.length > 0)
    return `After ${name(nodeID)} comes ${all(found)} instead of ${all(expected)}`;
  if (found.length > 0) return `After ${name(nodeID)} comes ${all(found)} in addition`;
  if (expected.length > 0) return `After ${name(nodeID)} no longer comes ${all(expected)}`;
  return `${name(nodeID)} ends in another way`;
}

function nameOf(id: string, ...models: readonly Model[]): string {
  for (const model of models) {
    const name = model.find(id)?.name;
    if (name) return `${id} "${name}"`;
  }
  return id;
}
