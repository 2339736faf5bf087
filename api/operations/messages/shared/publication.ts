/** A publication as the API shows it. */
import type { z } from 'zod';
import type { Publication } from '../../../../store/publications/publications.js';
import { optionalTime, time } from '../../../contract/wire.js';
import type { publication } from './schemas.js';

export function toPublication(found: Publication): z.output<typeof publication> {
  const { publicationID, type, name, state, takenBy, takenNode, started } = found;
  return {
    publicationID,
    type,
    name,
    ...(found.hasCorrelation && { correlationKeys: found.correlation }),
    state,
    ...(found.publishedBy !== null && { publishedBy: found.publishedBy }),
    publishedAt: time(found.publishedAt),
    expiresAt: time(found.expiresAt),
    endedAt: optionalTime(found.endedAt),
    ...(takenBy !== null && takenNode !== null && { takenBy: { workflowID: takenBy, nodeID: takenNode } }),
    ...(started.length > 0 && { started }),
    ...(type === 'signal' && { reached: found.reached }),
  };
}
