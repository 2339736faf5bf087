/** The files of the built console, held in memory: they are few and do not change while the host runs. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export interface ConsoleFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The compressed content, computed by the first call; undefined when compression saves nothing. */
  compressed(): Promise<Uint8Array<ArrayBuffer> | undefined>;
  readonly mediaType: string;
  readonly entityTag: string;
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

/**
 * Reads every file below the folder, by its path with slashes. Files of unknown types are skipped (source maps, for
 * example). Empty when the console was never built.
 */
export function readConsoleFiles(folder: string): ReadonlyMap<string, ConsoleFile> {
  if (!existsSync(folder)) return new Map();
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => extname(path) in mediaTypes && statSync(join(folder, path)).isFile(),
  );
  return new Map(paths.map((path) => [path.split(sep).join('/'), readConsoleFile(join(folder, path))]));
}

function readConsoleFile(path: string): ConsoleFile {
  const bytes = new Uint8Array(readFileSync(path));
  let compressed: Promise<Uint8Array<ArrayBuffer> | undefined> | undefined;
  return {
    bytes,
    // All files together would delay each start of a host, and a large one the other callers.
    compressed: () => (compressed ??= compress(bytes)),
    mediaType: mediaTypes[extname(path)] as string,
    entityTag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
  };
}

/** Outside of the event loop. */
async function compress(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const compressed = new Uint8Array(await promisify(gzip)(bytes));
  return compressed.length < bytes.length ? compressed : undefined;
}
