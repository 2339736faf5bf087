/** The request of an HTTP task as bytes. */
import type { Json } from '@perdure/engine/contract/json.js';
import { TaskError } from '../results/task-error.js';
import type { Call } from './call.js';

export const MAX_BODY_BYTES = 1024 * 1024;

export interface Encoded {
  readonly headers: Record<string, string>;
  readonly body: Buffer | undefined;
}

/** @param own headers of the host, which win over those of the model */
export function encode({ method, headers, basic, body }: Call, own: Record<string, string>): Encoded {
  const named = Object.entries(headers).filter(([name]) => !(name.toLowerCase() in own));
  const all: Record<string, string> = { ...Object.fromEntries(named), ...own };
  if (basic !== undefined) all['Authorization'] = `Basic ${Buffer.from(basic).toString('base64')}`;
  if (body === undefined || method === 'GET' || method === 'HEAD') return { headers: all, body: undefined };
  const type = Object.keys(all).find((name) => name.toLowerCase() === 'content-type');
  const { bytes, contentType } = encodeBody(body, type === undefined ? '' : all[type]!);
  if (bytes.length > MAX_BODY_BYTES)
    throw new TaskError(
      'HTTP_REQUEST_INVALID',
      `The body takes ${bytes.length} bytes, but at most ${MAX_BODY_BYTES} are sent.`,
    );
  return { headers: type === undefined ? { ...all, 'Content-Type': contentType } : all, body: bytes };
}

function encodeBody(body: Json, type: string): { bytes: Buffer; contentType: string } {
  if (typeof body === 'string')
    return { bytes: Buffer.from(body), contentType: isJson(body) ? 'application/json' : 'text/plain; charset=utf-8' };
  if (type.startsWith('application/x-www-form-urlencoded') && body !== null && typeof body === 'object') {
    const fields = Object.entries(body).map(([name, value]) => [name, String(value)] as [string, string]);
    return { bytes: Buffer.from(new URLSearchParams(fields).toString()), contentType: type };
  }
  return { bytes: Buffer.from(JSON.stringify(body)), contentType: 'application/json' };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
