import type { z } from 'zod';
import type { ManagedByProvider } from '../../../membership/memberships.js';
import type { Member } from '../../../membership/provider.js';
import { problem } from '../../../contract/problem.js';
import type { Problem } from '../../../contract/problem.js';
import type { member } from './schemas.js';

export function toMember({ subject, name, email, role }: Member): z.output<typeof member> {
  return { subject, name, email, role };
}

export function managedByProvider({ issuer }: ManagedByProvider): Problem<'MEMBERSHIP_MANAGED_BY_PROVIDER'> {
  return problem('MEMBERSHIP_MANAGED_BY_PROVIDER', `Project members are managed by the identity provider: ${issuer}`, {
    details: { issuer },
  });
}

export function lastAdmin(): Problem<'CONFLICT'> {
  return problem('CONFLICT', 'This member is the last admin of the project. Make another member an admin first.');
}
