/** Opens the stream of an operation for requests that accept it. */
import type { z } from 'zod';
import type { Lines, LinesFormat } from '../../contract/lines.js';
import type { Operation } from '../../commands/operation.js';

/** The stream of the operation, if it has one and the request accepts it. */
export function streamOf(operation: Operation, request: Request): Operation['lines'] {
  if (operation.lines === undefined) return undefined;
  const { mediaType } = operation.lines.format;
  const ranges = (request.headers.get('accept') ?? '').split(',');
  const isAccepted = ranges.some((range) => range.split(';', 1)[0]!.trim().toLowerCase() === mediaType);
  return isAccepted ? operation.lines : undefined;
}

/**
 * Reads the first row, so that a failure there becomes a problem.
 * @param item checks every item; undefined checks none
 */
export async function openLines(
  rows: AsyncIterable<unknown>,
  format: LinesFormat,
  item: z.ZodType | undefined,
): Promise<Lines> {
  const iterator = rows[Symbol.asyncIterator]();
  const first = await iterator.next();
  const expired = AbortSignal.timeout(format.maxMilliseconds);
  let settle: () => void;
  const closed = new Promise<void>((resolve) => (settle = resolve));
  async function* text(): AsyncGenerator<string> {
    for (let next = first; next.done !== true; next = await iterator.next()) {
      expired.throwIfAborted();
      const found = item && format.itemOf(next.value);
      if (found !== undefined) item!.parse(JSON.parse(JSON.stringify(found)));
      yield format.encode(next.value);
    }
  }
  return { mediaType: format.mediaType, text: text(), expired, closed, close: () => settle() };
}
