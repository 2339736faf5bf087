import type { z } from 'zod';
import { formatDuration } from '@perdure/lib/duration.js';
import type { Details } from '../../../../store/audit/details.js';
import type { KeyUsage, Limit, UsedLimit } from '../../../../store/work/limits/list-limits.js';
import type { Caller } from '../../../access/caller.js';
import { includesRole } from '../../../contract/roles.js';
import { time } from '../../../contract/wire.js';
import type { limit } from './schemas.js';

/** The keys are values of variables. */
export function maySeeKeys(caller: Caller, projectID: string): boolean {
  const role = caller.projectRole(projectID);
  return role !== undefined && includesRole(role, 'admin');
}

export function toLimit(found: UsedLimit, withKeys: boolean): z.output<typeof limit> {
  return {
    taskType: found.taskType,
    concurrent: found.concurrent ?? undefined,
    rate: rateOf(found),
    leased: found.leased,
    held: found.held,
    keys: withKeys ? found.keys.map(toKey) : undefined,
    updatedBy: found.updatedBy,
    updatedAt: time(found.updatedAt),
  };
}

function rateOf({ rateCount, ratePerMilliseconds }: Limit): { count: number; per: string } | undefined {
  if (rateCount === null || ratePerMilliseconds === null) return undefined;
  return { count: rateCount, per: formatDuration(ratePerMilliseconds) };
}

function toKey({ key, leased, held }: KeyUsage) {
  return { key: key === null ? undefined : (JSON.parse(key) as string | number | boolean), leased, held };
}

/** As the audit log shows it. */
export function limitDetails(found: Limit | undefined): Details {
  const rate = found && rateOf(found);
  return { concurrent: found?.concurrent ?? null, rate: rate ? `${rate.count} per ${rate.per}` : null };
}
