/** A document that is the same for every caller while the process runs: serialized and compressed once. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export interface StaticDocument {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly gzipped: Uint8Array<ArrayBuffer>;
  /** A strong entity tag, with its quotes. Both encodings are the same document, so gzip has a suffix. */
  readonly tag: string;
}

export interface StaticAnswer {
  readonly status: 200 | 304;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
}

/** Long enough that a page of the documentation, and its tools, do not ask again. */
const CACHE = 'public, max-age=300';

export async function staticDocument(text: string): Promise<StaticDocument> {
  const bytes = new Uint8Array(Buffer.from(text));
  const gzipped = new Uint8Array(await promisify(gzip)(bytes));
  return { bytes, gzipped, tag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22) };
}

/** The answer for the headers `If-None-Match` and `Accept-Encoding` of a request. */
export function answerWithDocument({ bytes, gzipped, tag }: StaticDocument, requested: Headers): StaticAnswer {
  const isGzipped = acceptsGzip(requested.get('accept-encoding'));
  const entityTag = isGzipped ? `"${tag}-gzip"` : `"${tag}"`;
  const headers = { 'Cache-Control': CACHE, ETag: entityTag, Vary: 'Accept-Encoding, Origin' };
  if (isNamed(requested.get('if-none-match'), tag)) return { status: 304, headers, bytes: undefined };
  return {
    status: 200,
    headers: isGzipped ? { ...headers, 'Content-Encoding': 'gzip' } : headers,
    bytes: isGzipped ? gzipped : bytes,
  };
}

/** A quality of zero refuses an encoding (RFC 9110 section 12.5.3). */
function acceptsGzip(header: string | null): boolean {
  return (header ?? '')
    .split(',')
    .some((part) => /^\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)[\d.]+\s*)?$/i.test(part));
}

function isNamed(header: string | null, tag: string): boolean {
  return (header ?? '')
    .split(',')
    .map((part) => part.trim().replace(/^W\//, ''))
    .some((part) => part === '*' || part === `"${tag}"` || part === `"${tag}-gzip"`);
}
