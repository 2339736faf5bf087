/** Opens the stream of a list for requests that accept JSON lines. */
import type { z } from 'zod';
import { linesMediaType, type Lines } from '../contract/lines.js';
import type { Operation } from '../contract/operation.js';

/** A slower reader would get rows of very different times. */
const LONGEST_MILLISECONDS = 10 * 60_000;

/** The stream of the operation, if it has one and the request accepts it. */
export function streamOf(operation: Operation, request: Request): Operation['lines'] {
  if (operation.lines === undefined) return undefined;
  const ranges = (request.headers.get('accept') ?? '').split(',');
  const isAccepted = ranges.some((range) => range.split(';', 1)[0]!.trim().toLowerCase() === linesMediaType);
  return isAccepted ? operation.lines : undefined;
}

/**
 * Reads the first row, so that a failure there becomes a problem.
 * @param item checks every row; undefined checks none
 */
export async function openLines(rows: AsyncIterable<unknown>, item: z.ZodType | undefined): Promise<Lines> {
  const iterator = rows[Symbol.asyncIterator]();
  const first = await iterator.next();
  const expired = AbortSignal.timeout(LONGEST_MILLISECONDS);
  let settle: () => void;
  const closed = new Promise<void>((resolve) => (settle = resolve));
  async function* text(): AsyncGenerator<string> {
    for (let next = first; next.done !== true; next = await iterator.next()) {
      expired.throwIfAborted();
      const line = JSON.stringify(next.value);
      item?.parse(JSON.parse(line));
      yield `${line}\n`;
    }
  }
  return { text: text(), expired, closed, close: () => settle() };
}
