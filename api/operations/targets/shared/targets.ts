import type { z } from 'zod';
import { formatDuration } from '@perdure/lib/duration.js';
import { WHOLE_INSTANCE } from '../../../../store/statistics/rows.js';
import type { Target } from '../../../../store/targets/targets.js';
import type { targets } from './schemas.js';

export function toTargets(found: readonly Target[]): z.output<typeof targets> {
  return {
    targets: found.map(({ nodeID, durationMs }) => ({
      nodeID: nodeID === WHOLE_INSTANCE ? undefined : nodeID,
      duration: formatDuration(durationMs),
    })),
  };
}
