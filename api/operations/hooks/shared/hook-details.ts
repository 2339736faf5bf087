/** Hooks as the audit log shows them. */
import { changesBetween, type Details } from '../../../../store/audit/details.js';
import type { Hook } from '../../../../store/hooks/hooks.js';

/** An expression can have a secret as a literal, so the log names those that differ. */
const expressions = ['messageName', 'correlationKeys', 'variables', 'idempotencyKey'] as const;

export function hookDetails({ hookID, projectID, name, auth, ttl, enabled }: Hook): Details {
  const header = 'header' in auth ? auth.header : undefined;
  const { type: signature, secret: secretName } = auth;
  return { path: `/hooks/${projectID}/${hookID}`, name, signature, secretName, header, ttl: ttl ?? undefined, enabled };
}

export function hookChanges(before: Hook, after: Hook): Details {
  const changed = expressions.filter((name) => before[name] !== after[name]);
  return {
    ...changesBetween(hookDetails(before), hookDetails(after)),
    ...(changed.length > 0 && { expressions: changed }),
  };
}
