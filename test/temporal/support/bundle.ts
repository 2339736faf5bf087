import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';

const silent = () => undefined;
const logger = { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent };

export interface TestBundle {
  path: string;
  remove(): void;
}

/** The workflows as the sources are now, so that a single test file needs no build before it. */
export async function writeBundle(): Promise<TestBundle> {
  const entry = fileURLToPath(new URL('../../../workflows/index.ts', import.meta.url));
  const { code } = await bundleWorkflowCode({ workflowsPath: entry, preloadModules: [entry], logger });
  const folder = mkdtempSync(join(tmpdir(), 'perdure-bundle-'));
  const path = join(folder, 'workflow-bundle.js');
  writeFileSync(path, code);
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
