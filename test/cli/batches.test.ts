import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { unwrap } from '@perdure/client';
import { sequenceModel, serviceTask } from '@perdure/testkit/models';
import { projectID, startClientHost, type ClientHost } from '../client/support/host.js';
import { uniqueName } from '../support/infrastructure.js';
import { runWith } from './support/run.js';

vi.setConfig({ testTimeout: 60_000 });

const folder = mkdtempSync(join(tmpdir(), 'perdure-batches-'));
let host: ClientHost;

beforeAll(async () => {
  host = await startClientHost();
});
afterAll(async () => {
  await host?.close();
  rmSync(folder, { recursive: true, force: true });
});

function write(body: object): string {
  const path = join(folder, `${uniqueName('batch')}.json`);
  writeFileSync(path, JSON.stringify(body));
  return path;
}

const perdure = (words: string[]) =>
  runWith(words, {
    PERDURE_API: host.api,
    PERDURE_TOKEN_ENDPOINT: host.tokenEndpoint,
    PERDURE_CLIENT_ID: 'editor',
    PERDURE_CLIENT_SECRET: 'dev-editor',
  });

/** The id of a process with two instances. */
async function twoInstances(): Promise<string> {
  const process = uniqueName('many');
  const file = join(folder, `${process}.bpmn`);
  writeFileSync(file, sequenceModel(process, [serviceTask(`${process}-task`)]));
  expect((await perdure(['deploy', file])).code).toBe(0);
  for (let index = 0; index < 2; index += 1) expect((await perdure(['start', process])).code).toBe(0);
  return process;
}

it('the command line shows the targets of a dry run, then the progress of the batch and its items', async () => {
  const process = await twoInstances();
  const file = write({ operation: 'CANCEL', filter: { processId: process, status: ['RUNNING'] } });
  const asked = await perdure(['batch', 'create', file, '--dry-run']);
  expect(asked).toMatchObject({ code: 0, out: ['2 targets', expect.any(String), expect.any(String)] });
  const done = await perdure(['batch', 'create', file]);
  expect(done.code).toBe(0);
  expect(done.out[0]).toMatch(/^Batch \S+ over 2 targets$/);
  expect(done.out.at(-1)).toBe('COMPLETED [####################] 100 %  applied 2 of 2');
  const batchID = done.out[0]!.split(' ')[1]!;
  const shown = await perdure(['batch', 'show', batchID, '--status', 'applied']);
  expect(shown.out[0]).toBe(`CANCEL ${done.out.at(-1)}`);
  expect(shown.out.at(-1)).toBe('2 items, page 1 of 1');
  const listed = await perdure(['batch', 'list', '--operation', 'cancel']);
  expect(listed.out.find((line) => line.startsWith(batchID))).toMatch(/CANCEL +COMPLETED +2 of 2/);
});

it('pauses, resumes, and cancels a batch, whose end is then a failure', async () => {
  const named = Array.from({ length: 100 }, (_, index) => `nothing-${index}`);
  const file = write({ operation: 'CANCEL', workflowIDs: named, itemsPerSecond: 1 });
  const { out } = await perdure(['batch', 'create', file, '--detach', '--json']);
  const { batchID } = JSON.parse(out[0]!);
  expect((await perdure(['batch', 'pause', batchID])).out[0]).toMatch(/^PAUSED .* of 100$/);
  expect((await perdure(['batch', 'show', batchID, '--follow'])).code).toBe(4);
  expect((await perdure(['batch', 'resume', batchID])).out[0]).toMatch(/^RUNNING /);
  expect((await perdure(['batch', 'cancel', batchID, '--reason', 'a mistake'])).out[0]).toMatch(/^CANCELED /);
  expect((await perdure(['batch', 'show', batchID, '--follow'])).code).toBe(1);
  const batch = await unwrap(
    host
      .client('editor')
      .GET('/projects/{projectID}/bpmn/batches/{batchID}', { params: { path: { projectID, batchID } } }),
  );
  expect(batch.counts.canceled + batch.counts.skipped).toBe(100);
});
