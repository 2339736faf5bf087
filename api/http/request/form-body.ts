/** Reads `multipart/form-data`, as forms of browsers and clients of other engines send files. */
import { problem, type Problem } from '../../contract/problem.js';
import { readBody, type BodyLimits, type Media } from './body.js';

/** Parts of one body. Each of them costs an object. */
const MAX_PARTS = 120;

const media: Media = {
  accepts: (contentType) => boundaryOf(contentType) !== undefined,
  expected: 'Content-Type must be multipart/form-data with a boundary',
};

type Form = { readonly kind: 'read'; readonly value: Record<string, unknown> | undefined } | Problem;

/** Files by name as lists, and other parts as texts: the last one of a name that is repeated. */
export async function readForm(request: Request, limits: Omit<BodyLimits, 'media'>): Promise<Form> {
  const reading = await readBody(request, { ...limits, media });
  if (reading.kind === 'problem') return reading;
  if (reading.bytes === undefined) return { kind: 'read', value: undefined };
  const contentType = request.headers.get('content-type');
  if (hasTooManyParts(reading.bytes, boundaryOf(contentType)!))
    return problem('BAD_REQUEST', `The body has more than ${MAX_PARTS} parts`);
  const form = await new Response(reading.bytes, { headers: { 'Content-Type': contentType! } })
    .formData()
    .catch(() => undefined);
  if (form === undefined) return problem('BAD_REQUEST', 'The body is not multipart/form-data as its boundary says');
  const value: Record<string, unknown> = Object.create(null);
  for (const name of form.keys()) {
    const parts = form.getAll(name);
    value[name] = parts.every((part) => typeof part !== 'string') ? parts : parts.at(-1);
  }
  return { kind: 'read', value };
}

/** RFC 2046 section 5.1.1: at most 70 characters. */
function boundaryOf(contentType: string | null): string | undefined {
  const found = /^multipart\/form-data[ \t]*;(?:.*;)?[ \t]*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))[ \t]*(?:;|$)/i;
  const [, quoted, plain] = found.exec(contentType ?? '') ?? [];
  return quoted ?? plain;
}

/** Counted before they are parsed: a body of 20 MiB can have hundreds of thousands. */
function hasTooManyParts(bytes: Uint8Array<ArrayBuffer>, boundary: string): boolean {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const line = `--${boundary}`;
  let count = 0;
  for (let at = body.indexOf(line); at >= 0; at = body.indexOf(line, at + line.length)) {
    count += 1;
    // The last one ends the body.
    if (count > MAX_PARTS + 1) return true;
  }
  return false;
}
