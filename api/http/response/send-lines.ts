/** Sends the lines of a list. A failure breaks the connection, so that a part is never mistaken for the whole. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Lines } from '../../contract/lines.js';

/**
 * Sends at the pace of the reader, until the last line or until the connection is closed.
 * @param onFailure called if the rows cannot be read to the end
 */
export async function sendLines(
  lines: Lines,
  outgoing: ServerResponse,
  onFailure: (error: unknown) => void,
): Promise<void> {
  const disconnected = new AbortController();
  outgoing.once('close', () => disconnected.abort());
  const ended = AbortSignal.any([disconnected.signal, lines.expired]);
  // Reading the next row can take long: the response does not wait for it.
  ended.addEventListener('abort', () => {
    outgoing.destroy();
    lines.close();
  });
  try {
    for await (const line of lines.text) {
      if (ended.aborted) return;
      if (!outgoing.write(line)) await once(outgoing, 'drain', { signal: ended });
    }
    outgoing.end();
  } catch (error) {
    if (!disconnected.signal.aborted) onFailure(error);
    outgoing.destroy();
  } finally {
    lines.close();
  }
}

/** The lines as the body of a `Response`. */
export function bodyOfLines(lines: Lines): ReadableStream<Uint8Array> {
  const iterator = lines.text[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const next = await iterator.next();
        if (next.done !== true) return controller.enqueue(encoder.encode(next.value));
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      lines.close();
    },
    cancel: () => lines.close(),
  });
}
