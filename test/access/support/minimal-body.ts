/** The smallest JSON value that a schema allows, as far as its JSON Schema tells. */
import { z } from 'zod';

type Schema = z.core.JSONSchema.BaseSchema;

/** Undefined when nothing was found that the schema takes: it may have rules that JSON Schema cannot say. */
export function minimalBody(schema: z.ZodType): unknown {
  if (schema.safeParse(undefined).success) return undefined;
  const document = z.toJSONSchema(schema, { io: 'input' });
  const value = minimal(document, document.$defs ?? {});
  return schema.safeParse(value).success ? value : undefined;
}

function minimal(schema: Schema | boolean | undefined, named: Record<string, Schema | boolean>): unknown {
  if (typeof schema !== 'object') return {};
  if (schema.$ref !== undefined) return minimal(named[schema.$ref.split('/').at(-1) as string], named);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return minimal(alternatives[0], named);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'string':
      return schema.format === 'date-time'
        ? '2026-01-31T09:00:00Z'
        : schema.pattern?.includes('[0-9a-f]{8}')
          ? '00000000-0000-4000-8000-00000000abcd'
          : 'x'.repeat(schema.minLength ?? 1);
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1);
    case 'boolean':
      return true;
    case 'array':
      return Array.from({ length: schema.minItems ?? 1 }, () => minimal(schema.items as Schema, named));
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, minimal(schema.properties?.[name], named)]),
      );
    default:
      return 'x';
  }
}
