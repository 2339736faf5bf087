import type { z } from 'zod';
import type { Form } from '../../../../store/forms/forms.js';
import type { ListedForm } from '../../../../store/forms/list-forms.js';
import { optional, time } from '../../../contract/wire.js';
import type { form, ListedFormBody } from './schemas.js';

export function toForm({ schema, versionTag, ...found }: Form): z.output<typeof form> {
  return { ...found, versionTag: optional(versionTag ?? null), schema: JSON.parse(schema) as Record<string, unknown> };
}

export function toListedForm({ versionTag, createdAt, usedBy, ...found }: ListedForm): ListedFormBody {
  return { ...found, versionTag: optional(versionTag), createdAt: time(createdAt), usedBy: [...usedBy] };
}
