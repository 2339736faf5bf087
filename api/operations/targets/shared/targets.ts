import type { z } from 'zod';
import { formatDuration } from '@perdure/lib/duration.js';
import { WHOLE_INSTANCE } from '../../../../store/statistics/rows.js';
import type { Target } from '../../../../store/targets/targets.js';
import type { targets } from './schemas.js';

/** As the audit log shows them: `PT1H` of the instance as a whole, and `review: PT5M` of a node. */
export function targetTexts(found: readonly Target[]): string[] {
  return toTargets(found).targets.map(({ nodeID, duration }) => (nodeID ? `${nodeID}: ${duration}` : duration));
}

export function toTargets(found: readonly Target[]): z.output<typeof targets> {
  return {
    targets: found.map(({ nodeID, durationMs }) => ({
      nodeID: nodeID === WHOLE_INSTANCE ? undefined : nodeID,
      duration: formatDuration(durationMs),
    })),
  };
}
