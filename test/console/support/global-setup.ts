import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** For the profiles of browsers, which end with their processes. */
    browserFolder: string;
  }
}

/** Vitest ends the processes of tests, and with them the browsers, after all teardowns. */
export default function setup(project: TestProject): void {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-browsers-'));
  project.provide('browserFolder', folder);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
}
