/** `perdure deploy` with folders: all models or none. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { callActivity, scriptTask, sequenceModel, serviceTask, userTask } from '@perdure/testkit/models';
import { unwrap } from '@perdure/client';
import { repositoryRoot } from '../../../dev/repository.js';
import { run } from '../../../packages/cli/run.js';
import { projectID, startClientHost, type ClientHost } from '../../client/support/host.js';
import { decision, dmn, literal } from '../../dmn/support.js';
import { uniqueName } from '../../support/infrastructure.js';
import { runWith } from '../support/run.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 180_000 });

let host: ClientHost;
let folder: string;
beforeAll(async () => void (host = await startClientHost()));
afterAll(() => host?.close());
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'perdure-deploy-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const environment = () => ({
  PERDURE_API: host.api,
  PERDURE_TOKEN_ENDPOINT: host.tokenEndpoint,
  PERDURE_CLIENT_ID: 'editor',
  PERDURE_CLIENT_SECRET: 'dev-editor',
});
const perdure = (...words: string[]) => runWith(words, environment(), folder);

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const model = (id: string) => sequenceModel(id, [serviceTask('work')]);
const form = (id: string) => JSON.stringify({ id, components: [] });

/** Whether the process is deployed. */
async function isDeployed(processID: string): Promise<boolean> {
  const params = { path: { projectID, processID }, query: {} };
  const { data } = await unwrap<{ data: unknown[] }>(
    host.client('viewer').GET('/projects/{projectID}/bpmn/processes/{processID}/versions', { params }),
  );
  return data.length > 0;
}

describe('a folder', () => {
  it('is deployed as one bundle, with a line for each file, and again without a new version', async () => {
    const id = uniqueName('folder');
    write('Bestellung prüfen (2).BPMN', sequenceModel(id, [userTask('ask', { formID: id })]));
    write('sub/called.bpmn', model(`${id}-called`));
    write('sub/rates.dmn', dmn(decision('rate', literal('1'))).replace('id="model"', `id="${id}"`));
    write('ask.form', form(id));
    write('order.scenario.json', '{}');
    write('README.md', '# Models');
    const first = await perdure('deploy', folder, '--name', 'release 7', '--reason', 'CH-1');
    expect(first.errors).toEqual([]);
    expect(first.out).toEqual([
      expect.stringMatching(/^FILE +STATE +ID +VERSION$/),
      expect.stringMatching(new RegExp(`^Bestellung prüfen \\(2\\).BPMN +created +${id} +1$`)),
      expect.stringMatching(new RegExp(`^ask.form +created +${id} +1$`)),
      expect.stringMatching(new RegExp(`^sub/called.bpmn +created +${id}-called +1$`)),
      expect.stringMatching(/^sub\/rates.dmn +created +[0-9a-f-]{36} +1$/),
      expect.stringMatching(/^4 files: 4 created, 0 unchanged in deployment [0-9a-f-]{36}$/),
    ]);
    const deploymentID = first.out.at(-1)!.split(' ').at(-1)!;
    const shown = await perdure('deployments', 'show', deploymentID);
    expect(shown.out).toEqual(expect.arrayContaining([expect.stringMatching(/^Name +release 7$/), first.out[1]]));
    const second = await perdure('deploy', folder);
    expect(second.out.slice(1, -1).every((line) => line.includes(' unchanged '))).toBe(true);
    expect(second.out.at(-1)).toBe('4 files: nothing is new');
  });

  it('is not deployed by a dry run', async () => {
    const id = uniqueName('dry');
    write('a.bpmn', model(id));
    const { code, out } = await perdure('deploy', folder, '--dry-run');
    expect({ code, last: out.at(-1) }).toEqual({
      code: 0,
      last: 'Dry run of 1 file: 1 created, 0 unchanged. Nothing was deployed.',
    });
    expect(await isDeployed(id)).toBe(false);
  });

  it('with a mistake in its third file is not deployed at all, and the message names the file', async () => {
    const ids = ['one', 'two'].map(uniqueName);
    write('1.bpmn', model(ids[0]!));
    write('2.bpmn', model(ids[1]!));
    const third = write('3.bpmn', sequenceModel(uniqueName('three'), [scriptTask('sum', '=1 +', 'x')]));
    const { code, out, errors } = await perdure('deploy', folder);
    expect({ code, out }).toEqual({ code: 1, out: [] });
    expect(errors).toEqual([
      expect.stringMatching(new RegExp(`^${third}:4:\\d+: error at sum: `)),
      'Nothing was deployed. Files with errors: 1 of 3',
    ]);
    for (const id of ids) expect(await isDeployed(id)).toBe(false);
  });

  it('with a process in two files is not deployed, and the message names both', async () => {
    const id = uniqueName('same');
    write('a.bpmn', model(id));
    const second = write('sub/b.bpmn', model(id));
    const { code, errors } = await perdure('deploy', folder);
    expect({ code, first: errors[0] }).toEqual({
      code: 1,
      first: `${second}:1:1: error: Process ${id} is also in a.bpmn. Remove one of them.`,
    });
    expect(await isDeployed(id)).toBe(false);
  });

  it('with a file that cannot be read is not deployed, and the message names the file and the byte', async () => {
    const id = uniqueName('readable');
    write('a.bpmn', model(id));
    const broken = write('b.bpmn', Buffer.from(`<?xml version="1.0"?>\n<!-- \xfc -->${model('x')}`, 'latin1'));
    symlinkSync('/nowhere', join(folder, 'c.bpmn'));
    const { code, errors } = await perdure('deploy', folder);
    expect(code).toBe(2);
    expect(errors.join('\n')).toContain(`${broken} is not UTF-8: byte 0xFC`);
    expect(errors.join('\n')).toContain(join(folder, 'c.bpmn'));
    expect(await isDeployed(id)).toBe(false);
  });

  it('with 500 files is refused before anything is sent', async () => {
    for (let number = 0; number < 500; number += 1) write(`${number}.bpmn`, model(`many-${number}`));
    const { code, errors } = await runWith(['deploy', folder], { ...environment(), PERDURE_API: 'http://127.0.0.1:1' });
    expect(code).toBe(2);
    expect(errors.join('\n')).toMatch(/at most 100 files, but there are 500, from .*\/0\.bpmn to .*\/99\.bpmn/);
  });

  it('with links in circles is deployed once', async () => {
    const id = uniqueName('circle');
    const file = write('a/b/order.bpmn', model(id));
    symlinkSync(folder, join(folder, 'a', 'circle'));
    symlinkSync(file, join(folder, 'twin.bpmn'));
    const { code, out } = await perdure('deploy', folder, file);
    expect({ code, files: out.length }).toEqual({ code: 0, files: 3 });
  });

  it('binds what it contains to the deployment', async () => {
    const id = uniqueName('bound');
    write('caller.bpmn', sequenceModel(id, [callActivity('call', `${id}-called`, { bindingType: 'deployment' })]));
    write('called.bpmn', model(`${id}-called`));
    expect(await perdure('deploy', folder)).toMatchObject({ code: 0, errors: [] });
  });

  it('is the example of the README, which deploys and has no mistakes', async () => {
    const example = join(repositoryRoot, 'examples/order-fulfilment');
    expect(await perdure('lint', example)).toMatchObject({ code: 0, errors: [] });
    const { code, out } = await perdure('deploy', example);
    expect({ code, last: out.at(-1) }).toMatchObject({ code: 0, last: expect.stringMatching(/^2 files: /) });
  });
});

it('files of one name from two folders keep their paths', async () => {
  const id = uniqueName('names');
  const files = [write('a/order.bpmn', model(`${id}-a`)), write('b/order.bpmn', model(`${id}-b`))];
  const { out } = await perdure('deploy', ...files);
  expect(out.slice(1, 3).map((line) => line.split(' ')[0])).toEqual(files);
});

it('a watched folder is deployed again when a file changes or is added in a new folder, and survives a mistake', async () => {
  const id = uniqueName('watched');
  write('a.bpmn', model(id));
  const stop = new AbortController();
  const lines: string[] = [];
  const note = (line: string) => void lines.push(line);
  const watching = run(['deploy', folder, '--watch'], {
    environment: environment(),
    folder,
    write: note,
    complain: note,
    signal: stop.signal,
  });
  const until = (pattern: RegExp) =>
    vi.waitFor(() => expect(lines.join('\n')).toMatch(pattern), { timeout: 40_000, interval: 50 });
  await until(new RegExp(`a.bpmn +created +${id} +1\n1 file: 1 created`));
  write('new/deep/b.bpmn', model(`${id}-b`));
  await until(new RegExp(`new/deep/b.bpmn +created +${id}-b +1\n2 files: 1 created, 1 unchanged`));
  write('new/deep/b.bpmn', sequenceModel(`${id}-b`, [scriptTask('sum', '=1 +', 'x')]));
  await until(/error at sum[^\n]*\nNothing was deployed\. Files with errors: 1 of 2/);
  write('new/deep/b.bpmn', sequenceModel(`${id}-b`, [serviceTask('other')]));
  await until(new RegExp(`new/deep/b.bpmn +created +${id}-b +2\n`));
  stop.abort();
  expect(await watching).toBe(0);
});
