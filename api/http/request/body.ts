import { problem } from '../../contract/problem.js';
import type { Problem } from '../../contract/problem.js';

/** The raw bytes of a request body; undefined when there is no body. */
export type BodyReading = { readonly kind: 'read'; readonly bytes: Uint8Array<ArrayBuffer> | undefined } | Problem;

/** The media types that a reader of bodies takes. */
export interface Media {
  accepts(contentType: string | null): boolean;
  /** The detail of 415. */
  readonly expected: string;
}

export interface BodyLimits {
  readonly maximumBytes: number;
  /** Called with the size before the body is read, or, if it was not declared, afterward; refuses it. */
  spend?(bytes: number): Problem | undefined;
  readonly media?: Media;
}

const json: Media = { accepts: isJsonMediaType, expected: 'Content-Type must be application/json in UTF-8' };

/**
 * Reads a body within the limit. The encoding and the media type are checked first (415), then the size (413), so
 * a client that sends the wrong type learns that first. An empty body needs no media type.
 */
export async function readBody(request: Request, limits: BodyLimits): Promise<BodyReading> {
  const { maximumBytes, media = json } = limits;
  const encoding = request.headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    return problem(
      'UNSUPPORTED_MEDIA_TYPE',
      'Compressed requests are not supported. Send the body without Content-Encoding.',
    );
  }
  const declared = Number(request.headers.get('content-length') ?? Number.NaN);
  if (declared === 0) return { kind: 'read', bytes: undefined };
  const refused = media.accepts(request.headers.get('content-type')) ? undefined : wrongMediaType(media);
  try {
    if (declared > 0 && refused) return await refuse(request.body?.getReader(), refused);
    if (declared > maximumBytes) return await refuse(request.body?.getReader(), tooLarge(maximumBytes));
    const excess = declared > 0 ? limits.spend?.(declared) : undefined;
    if (excess)
      return await refuse(request.body?.getReader(), { ...excess, headers: { ...excess.headers, ...closing.headers } });
    // With a declared length, the HTTP parser ends the body there, and the server reads it without a stream.
    if (declared > 0) return { kind: 'read', bytes: new Uint8Array(await request.arrayBuffer()) };
    if (request.body === null) return { kind: 'read', bytes: undefined };
    const collected = await collect(request.body.getReader(), maximumBytes, refused);
    const size = collected.kind === 'read' ? collected.bytes?.byteLength : undefined;
    return (size === undefined ? undefined : limits.spend?.(size)) ?? collected;
  } catch {
    // The client is disconnected. This response only prevents the log from reporting an internal error.
    return problem('BAD_REQUEST', 'The body ended before it was complete');
  }
}

async function collect(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maximumBytes: number,
  refused: Problem | undefined,
): Promise<BodyReading> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (value.byteLength === 0) continue;
    length += value.byteLength;
    if (refused) return refuse(reader, refused);
    if (length > maximumBytes) return refuse(reader, tooLarge(maximumBytes));
    chunks.push(value);
  }
  return { kind: 'read', bytes: length === 0 ? undefined : Buffer.concat(chunks) };
}

const maxDiscardMilliseconds = 1_000;
const maxDiscardedBytes = 16 * 1024 * 1024;

/**
 * Discards what the client still sends for a short time before responding: a client that is cut off while it writes
 * sees a broken connection instead of the response. A client that keeps writing is cut off.
 */
async function refuse(reader: ReadableStreamDefaultReader<Uint8Array> | undefined, answer: Problem): Promise<Problem> {
  if (reader === undefined) return answer;
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), maxDiscardMilliseconds);
  try {
    let discarded = 0;
    while (discarded < maxDiscardedBytes) {
      const { done, value } = await reader.read();
      if (done) return answer;
      discarded += value.byteLength;
    }
    await reader.cancel();
    return answer;
  } finally {
    clearTimeout(timer);
  }
}

function isJsonMediaType(header: string | null): boolean {
  return header !== null && /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i.test(header);
}

// The body may not have been read to its end, so the connection cannot carry another request.
const closing = { headers: { Connection: 'close' } };

function tooLarge(maximumBytes: number): Problem {
  return problem('PAYLOAD_TOO_LARGE', `The body is larger than ${maximumBytes} bytes`, closing);
}

function wrongMediaType({ expected }: Media): Problem {
  return problem('UNSUPPORTED_MEDIA_TYPE', expected, closing);
}
