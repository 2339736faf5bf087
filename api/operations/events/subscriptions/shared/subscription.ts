/** Parts that the operations on event subscriptions share. */
import type { z } from 'zod';
import { OutboundError } from '../../../../../outbound/egress/outbound-error.js';
import { keyOf, MIN_KEY_BYTES } from '../../../../../outbound/standard-webhooks.js';
import type { EventSubscription } from '../../../../../store/event-subscriptions/subscriptions.js';
import { PREFIX } from '../../../../../store/events/cloud-event.js';
import type { EventType } from '../../../../../store/events/types.js';
import type { ApiContext } from '../../../../context.js';
import { notFound, problem } from '../../../../contract/problem.js';
import { optional, optionalTime, time } from '../../../../contract/wire.js';
import type { eventSubscription } from './schemas.js';

export function toEventSubscription({
  id,
  types,
  processIDs,
  failingSince,
  lastError,
  createdAt,
  ...rest
}: EventSubscription): z.output<typeof eventSubscription> {
  return {
    subscriptionID: id,
    ...rest,
    types: types.map((type) => `${PREFIX}${type}` as const),
    processIds: optional(processIDs),
    failingSince: optionalTime(failingSince),
    lastError: optional(lastError),
    createdAt: time(createdAt),
  };
}

/** The types without their prefix, each once. */
export function storedTypes(types: readonly string[]): EventType[] {
  return [...new Set(types)].map((type) => type.slice(PREFIX.length) as EventType);
}

/** The reason why events cannot be sent there or signed; undefined if they can. */
export async function receiverProblem(
  { egress, secrets }: ApiContext,
  projectID: string,
  { url, secret }: { readonly url?: string | undefined; readonly secret?: string | undefined },
) {
  try {
    if (url !== undefined) egress.permit(url);
  } catch (error) {
    if (error instanceof OutboundError) return problem('BAD_REQUEST', `/url: ${error.message}`);
    throw error;
  }
  return secret === undefined ? undefined : secretProblem(secrets, projectID, secret);
}

async function secretProblem(secrets: ApiContext['secrets'], projectID: string, name: string) {
  // One with a mistake in its files is as good as none.
  const value = (await secrets.resolve(projectID, name).catch(() => undefined))?.values[0];
  if (value === undefined)
    return problem(
      'BAD_REQUEST',
      `/secret: project ${projectID} has no secret ${name}, or it cannot be read. An operator can add it.`,
    );
  if (keyOf(value) === undefined)
    return problem(
      'BAD_REQUEST',
      `/secret: the secret ${name} is not base64 of at least ${MIN_KEY_BYTES} bytes. An operator can change it.`,
    );
  return undefined;
}

export function noSubscription({ projectID, subscriptionID }: { projectID: string; subscriptionID: string }) {
  return notFound(`no event subscription ${subscriptionID} in project ${projectID}`);
}
