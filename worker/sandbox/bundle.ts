/** Reads the bundle of the workflows. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ThreadData } from './protocol.js';

const SOURCE_MAP = '//# sourceMappingURL=data:';
const ENCODING = 'base64,';

/**
 * The SDK would compile and run it once for debuggers, with its source map inside (seen in 1.24). That costs the start of a
 * worker 0.1 s of CPU time.
 * @throws Error if there is no file, or it has no source map
 */
export async function readBundle(path: string): Promise<ThreadData['bundle']> {
  const text = await readFile(path, 'utf8');
  const end = text.lastIndexOf(SOURCE_MAP);
  const map = text.indexOf(ENCODING, end) + ENCODING.length;
  if (end < 0 || map < ENCODING.length) throw new Error(`${path} has no source map. Build it again: npm run build`);
  return {
    code: text.slice(0, end),
    sourceMap: JSON.parse(Buffer.from(text.slice(map), 'base64').toString()) as ThreadData['bundle']['sourceMap'],
    filename: resolve(path),
  };
}
