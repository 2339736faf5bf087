import { z } from 'zod';
import { timestamp } from '../../schemas.js';

export const project = z
  .strictObject({ id: z.string(), name: z.string(), createdAt: timestamp, updatedAt: timestamp.optional() })
  .meta({ id: 'Project' });

export const createProjectRequest = z
  .strictObject({ name: z.string().trim().min(1).max(255) })
  .meta({ id: 'CreateProjectRequest' });
