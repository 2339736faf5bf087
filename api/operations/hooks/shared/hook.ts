/** Hooks as the API shows them. */
import type { z } from 'zod';
import type { Hook } from '../../../../store/hooks/hooks.js';
import type { Delivery } from '../../../../store/hooks/deliveries.js';
import { optionalTime, time } from '../../../contract/wire.js';
import type { delivery, hook } from './schemas.js';

export function toHook(found: Hook): z.output<typeof hook> {
  const { hookID, projectID, name, auth, messageName, enabled, createdBy } = found;
  return {
    hookID,
    path: `/hooks/${projectID}/${hookID}`,
    name,
    auth,
    messageName,
    ...given('correlationKeys', found.correlationKeys),
    ...given('variables', found.variables),
    ...given('idempotencyKey', found.idempotencyKey),
    ...given('ttl', found.ttl),
    enabled,
    createdBy,
    createdAt: time(found.createdAt),
    ...given('updatedBy', found.updatedBy),
    updatedAt: optionalTime(found.updatedAt),
  };
}

export function toDelivery(found: Delivery): z.output<typeof delivery> {
  const { deliveryID, receivedAt, outcome } = found;
  return {
    deliveryID,
    receivedAt: time(receivedAt),
    outcome,
    ...given('publicationID', found.publicationID),
    ...given('problem', found.problem),
    ...given('body', found.body),
    redeliverable: found.isRedeliverable,
  };
}

function given<Name extends string>(name: Name, value: string | null): { [name in Name]?: string } {
  return (value === null ? {} : { [name]: value }) as { [name in Name]?: string };
}
