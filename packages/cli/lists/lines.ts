/** Shared by the commands that write every row of a list, one line of JSON each. */
import { printableJson } from '@perdure/lib/trust/printable.js';
import type { Terminal } from '../terminal.js';

/** The options of a call whose response is a stream of lines. */
export const asLines = { headers: { Accept: 'application/x-ndjson' }, parseAs: 'stream' } as const;

/**
 * Writes the lines of a stream as they arrive.
 * @param stream null for a response without a body
 * @throws Error when the connection breaks, so that a part is never mistaken for the whole
 */
export async function writeLines(terminal: Terminal, stream: ReadableStream<Uint8Array> | null): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of (stream ?? []) as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop()!;
    for (const line of lines) terminal.write(printableJson(line));
  }
}
