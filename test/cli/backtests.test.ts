import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { unwrap } from '@perdure/client';
import { endEvent, exclusiveGateway, processModel, scriptTask, startEvent } from '@perdure/testkit/models';
import { projectID, startClientHost, type ClientHost } from '../client/support/host.js';
import { uniqueName } from '../support/infrastructure.js';
import { runWith } from './support/run.js';

vi.setConfig({ testTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'perdure-backtests-'));
const process = uniqueName('checks');
let host: ClientHost;

/** Amounts above the limit are checked. */
const model = (limit: number) =>
  processModel(
    process,
    [
      startEvent('start'),
      exclusiveGateway('large', { default: 'no' }),
      scriptTask('check', '=true', 'checked'),
      endEvent('end'),
    ],
    ['a: start -> large', `yes: large -> check =amount > ${limit}`, 'no: large -> end', 'b: check -> end'],
  );

function write(name: string, xml: string): string {
  const path = join(folder, name);
  writeFileSync(path, xml);
  return path;
}

const perdure = (words: string[]) =>
  runWith(words, {
    PERDURE_API: host.api,
    PERDURE_TOKEN_ENDPOINT: host.tokenEndpoint,
    PERDURE_CLIENT_ID: 'editor',
    PERDURE_CLIENT_SECRET: 'dev-editor',
  });

beforeAll(async () => {
  host = await startClientHost();
  expect((await perdure(['deploy', write('deployed.bpmn', model(100))])).code).toBe(0);
  for (const amount of [50, 150, 250])
    expect((await perdure(['start', process, '--variables', JSON.stringify({ amount }), '--wait'])).code).toBe(0);
});
afterAll(async () => {
  await host?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function draftsCount(): Promise<number> {
  const { pagination } = await unwrap(
    host.client('editor').GET('/projects/{projectID}/bpmn/resources', { params: { path: { projectID } } }),
  );
  return pagination.total;
}

it('compares a deployed version, which is the same', async () => {
  const said = await perdure(['backtest', process, '--fail-on', 'otherPath,otherResult,incident,unanswered']);
  expect(said.out).toEqual(['COMPLETED 3 of 3: 3 the same']);
  expect(said.code).toBe(0);
});

it('compares a file, fails on the named outcomes only, and leaves no draft', async () => {
  const drafts = await draftsCount();
  const file = write('changed.bpmn', model(200));
  const said = await perdure(['backtest', file]);
  expect(said.code).toBe(0);
  expect(said.out[0]).toBe('COMPLETED 3 of 3: 2 the same, 1 on another path');
  expect(said.out[2]).toMatch(/^1 +OTHER_PATH +large +After large comes end instead of check/);
  expect((await perdure(['backtest', file, '--fail-on', 'incident'])).code).toBe(0);
  expect((await perdure(['backtest', file, '--fail-on', 'otherpath', '--json'])).code).toBe(1);
  expect(await draftsCount()).toBe(drafts);
  const refused = await perdure(['backtest', write('wrong.bpmn', model(1).replace('start -> large', ''))]);
  expect(refused.code).not.toBe(0);
  expect(await draftsCount()).toBe(drafts);
});

it('writes Markdown in which nothing of the model is markup', async () => {
  const file = write(
    'named.bpmn',
    model(200).replace('<bpmn:endEvent id="end"', '<bpmn:endEvent id="end" name="a | @b"'),
  );
  const { out } = await perdure(['backtest', file, '--markdown']);
  expect(out.slice(0, 5)).toEqual([
    `### Backtest of <code>${process}</code>`,
    '',
    '3 ended instances: **2** the same, **1** on another path.',
    '',
    '| Instances | Outcome | First at | Why | Median | Example |',
  ]);
  expect(out[6]).toContain('&#124; &#64;b');
});

it('lists backtests, shows one with its instances, and cancels none that has completed', async () => {
  const listed = await perdure(['backtests', 'list', '--process-id', process, '--json']);
  const [{ backtestID }] = JSON.parse(listed.out[0]!).data;
  const shown = await perdure(['backtests', 'show', backtestID, '--outcome', 'other_path']);
  expect(shown.out.at(-1)).toBe('1 instance, page 1 of 1');
  expect((await perdure(['backtests', 'cancel', backtestID])).code).toBe(1);
  expect((await perdure(['backtest', process, '--fail-on', 'skipped'])).code).toBe(2);
});
