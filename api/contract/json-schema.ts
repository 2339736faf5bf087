/** JSON Schemas of the declared Zod schemas. */
import { z } from 'zod';

export type Json = Record<string, unknown>;

/** Zod's JSON Schema, with its named parts moved to the components of the document. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Map<string, Json>): Json {
  const { $schema: _, $defs: named = {}, id, ...own } = z.toJSONSchema(schema, { io, override: simplify }) as Json;
  for (const [name, part] of Object.entries(named as Record<string, Json>)) addSchema(name, part, schemas);
  if (typeof id !== 'string') return pointToComponents(own);
  addSchema(id, own, schemas);
  return { $ref: `#/components/schemas/${id}` };
}

function addSchema(name: string, part: Json, schemas: Map<string, Json>): void {
  const { id: _, ...content } = part;
  const pointed = pointToComponents(content);
  const known = schemas.get(name);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(pointed)) {
    throw new Error(
      `Two different schemas are named ${name}. A schema with defaults differs between input and output: name only one side.`,
    );
  }
  schemas.set(name, pointed);
}

function pointToComponents(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
}

/** The format says the same; the pattern that implements it is long and of no use to a reader. */
function simplify({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
}
