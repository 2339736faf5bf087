/** Event subscriptions as the audit log shows them. */
import type { Details } from '../../../../../store/audit/details.js';
import type { SubscriptionSettings } from '../../../../../store/event-subscriptions/subscriptions.js';
import { PREFIX } from '../../../../../store/events/cloud-event.js';

export function subscriptionDetails(settings: SubscriptionSettings): Details {
  const { name, url, secret: secretName, types, processIDs, enabled } = settings;
  return {
    name,
    url: withoutSecrets(url),
    secretName,
    types: types.map((type) => `${PREFIX}${type}`),
    processIds: processIDs ?? undefined,
    enabled,
  };
}

/** Credentials of a receiver can be in the user, the query, or the fragment. */
function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
