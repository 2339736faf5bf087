import type { z } from 'zod';
import type { Deployment } from '../../../../store/definitions/deployments.js';
import { optional, time } from '../../../contract/wire.js';
import type { deployment } from './schemas.js';

export function toDeployment(found: Deployment): z.output<typeof deployment> {
  const { deploymentID, createdBy, createdAt, files } = found;
  return {
    deploymentID,
    name: optional(found.name),
    createdBy,
    createdAt: time(createdAt),
    reason: optional(found.reason),
    files,
  };
}
