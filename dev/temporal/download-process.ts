/** Downloads the Temporal server through the SDK into the cache; on failure, sends the reason to its parent. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { errorMessage } from '@perdure/lib/error-message.js';
import { cachedExecutable, pinnedVersion } from './build.js';

process.on('disconnect', () => process.exit(1));

try {
  await download(cachedExecutable());
  process.exit(0);
} catch (error) {
  process.send?.(errorMessage(error), () => process.exit(1));
}

async function download(executable: string): Promise<void> {
  mkdirSync(dirname(executable), { recursive: true });
  const downloadDir = mkdtempSync(join(dirname(executable), 'download-'));
  try {
    // The SDK offers the download only together with a server, which is stopped again at once.
    const environment = await TestWorkflowEnvironment.createLocal({
      server: { executable: { type: 'cached-download', downloadDir, version: `v${pinnedVersion()}` } },
    });
    await environment.teardown();
    const [file] = readdirSync(downloadDir);
    if (file === undefined) return;
    chmodSync(join(downloadDir, file), 0o755);
    renameSync(join(downloadDir, file), executable);
  } finally {
    rmSync(downloadDir, { recursive: true, force: true });
  }
}
