/**
 * The position of a search between pages. A cursor is signed and only valid for the search it was created for: its
 * signature covers project, definition, predicate, and filters, which the cursor itself does not contain.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface Position {
  /** The search resumes below this instance number. */
  readonly below: number;
  /** The moment that `now()` returns on every page, in epoch milliseconds. */
  readonly now: number;
}

/** The values that a cursor is bound to, in a fixed order. */
export type Binding = readonly (string | boolean | null)[];

const FORMAT = 1;

export function writeCursor(key: Buffer, binding: Binding, { below, now }: Position): string {
  const content = Buffer.from(JSON.stringify([FORMAT, below, now])).toString('base64url');
  return `${content}.${sign(key, binding, content).toString('base64url')}`;
}

/** Undefined when the cursor is not valid or belongs to another search. */
export function readCursor(key: Buffer, binding: Binding, cursor: string): Position | undefined {
  const [content, signature, ...rest] = cursor.split('.');
  if (content === undefined || signature === undefined || rest.length > 0) return undefined;
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(key, binding, content);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const [format, below, now] = JSON.parse(Buffer.from(content, 'base64url').toString()) as [number, number, number];
  return format === FORMAT ? { below, now } : undefined;
}

function sign(key: Buffer, binding: Binding, content: string): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([content, ...binding]))
    .digest();
}
