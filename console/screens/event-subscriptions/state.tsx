import { Badge } from '../../components/values/badge.js';
import type { Schemas } from '../../frame/api/client.js';

export type Subscription = Schemas['EventSubscription'];

/** Up to this number the API counts pending events exactly. */
const MAX_COUNTED = 10_000;

export function StateBadge({ subscription: { enabled, failingSince } }: { subscription: Subscription }) {
  if (!enabled)
    return (
      <Badge tone="grey" icon="pause">
        Disabled
      </Badge>
    );
  if (failingSince !== undefined)
    return (
      <Badge tone="red" icon="alert">
        Failing
      </Badge>
    );
  return (
    <Badge tone="green" icon="check">
      Enabled
    </Badge>
  );
}

export function pendingText({ pending }: Subscription): string {
  return pending >= MAX_COUNTED ? `${MAX_COUNTED.toLocaleString('en')} or more` : pending.toLocaleString('en');
}
