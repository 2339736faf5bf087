import { problem } from '../problem.js';
import type { Problem } from '../problem.js';

/** The raw bytes of a request body: undefined when there is none. */
export type BodyReading = { readonly kind: 'read'; readonly bytes: Uint8Array | undefined } | Problem;

/**
 * Reads a JSON body within the limit. Order: 415 for the encoding and the media type, then 413, so that a client
 * that sends the wrong thing is told so first. An empty body needs no media type.
 */
export async function readBody(request: Request, maximumBytes: number): Promise<BodyReading> {
  const encoding = request.headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    return problem('UNSUPPORTED_MEDIA_TYPE', 'Compressed requests are not accepted; send the body without Content-Encoding.');
  }
  const declared = Number(request.headers.get('content-length') ?? Number.NaN);
  if (declared === 0) return { kind: 'read', bytes: undefined };
  const isJson = isJsonMediaType(request.headers.get('content-type'));
  if (declared > 0 && !isJson) return wrongMediaType();
  if (declared > maximumBytes) return tooLarge(maximumBytes);
  try {
    // With a declared length the HTTP parser ends the body there, and the server reads it without a stream.
    if (declared > 0) return { kind: 'read', bytes: new Uint8Array(await request.arrayBuffer()) };
    if (request.body === null) return { kind: 'read', bytes: undefined };
    return await collect(request.body.getReader(), maximumBytes, isJson);
  } catch {
    // Nobody is left to read this answer; it only keeps the log from calling it a failure of the host.
    return problem('BAD_REQUEST', 'The body ended before it was complete.');
  }
}

async function collect(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maximumBytes: number,
  isJson: boolean,
): Promise<BodyReading> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (value.byteLength === 0) continue;
    length += value.byteLength;
    if (!isJson || length > maximumBytes) {
      await reader.cancel();
      return isJson ? tooLarge(maximumBytes) : wrongMediaType();
    }
    chunks.push(value);
  }
  return { kind: 'read', bytes: length === 0 ? undefined : Buffer.concat(chunks) };
}

function isJsonMediaType(header: string | null): boolean {
  return header !== null && /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i.test(header);
}

// The rest of the body is not read, so the connection cannot carry another request.
const closing = { headers: { Connection: 'close' } };

function tooLarge(maximumBytes: number): Problem {
  return problem('PAYLOAD_TOO_LARGE', `The body is larger than ${maximumBytes} bytes.`, closing);
}

function wrongMediaType(): Problem {
  return problem('UNSUPPORTED_MEDIA_TYPE', 'Expected Content-Type: application/json in UTF-8.', closing);
}
