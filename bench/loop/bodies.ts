/** For every operation with a body: hostile values in each member of the body, and as the body. */
import type { z } from 'zod';
import type { Operation } from '../../api/commands/operation.js';

export function operationsWithBody(operations: readonly Operation[]): Operation[] {
  return operations.filter(({ method, request, isForm }) => method !== 'GET' && request.body !== undefined && !isForm);
}

/** Members that take values of any shape. */
const OPEN = new Set(['variables', 'context', 'inputs', 'params', 'correlationKeys']);

/** The members of the body that take any value, or else its first member; empty if it is not an object. */
export function membersOfBody({ request }: Operation): string[] {
  let schema = request.body as (z.ZodType & { shape?: object; def?: { innerType?: z.ZodType } }) | undefined;
  while (schema?.def?.innerType !== undefined) schema = schema.def.innerType as typeof schema;
  const names = Object.keys(schema?.shape ?? {});
  const open = names.filter((name) => OPEN.has(name));
  return open.length > 0 ? open : names.slice(0, 1);
}

/** A path of the operation in the project. Its ids are those of nothing, and of every form. */
export function pathOf({ path }: Operation, projectID: string): string {
  return path.replace('{projectID}', projectID).replaceAll(/\{[^}]*\}/g, () => 'a0000000-0000-4000-8000-000000000000');
}
