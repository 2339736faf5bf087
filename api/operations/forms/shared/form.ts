import type { z } from 'zod';
import type { Form } from '../../../../store/forms/forms.js';
import { optional } from '../../../contract/wire.js';
import type { form } from './schemas.js';

export function toForm({ schema, versionTag, ...found }: Form): z.output<typeof form> {
  return { ...found, versionTag: optional(versionTag ?? null), schema: JSON.parse(schema) as Record<string, unknown> };
}
