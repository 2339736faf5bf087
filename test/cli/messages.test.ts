/** The commands that say what an instance waits for and what became of messages. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { catchEvent, extensions, on, sequenceModel } from '@perdure/testkit/models';
import { unwrap } from '@perdure/client';
import { run } from '../../packages/cli/run.js';
import { projectID, startClientHost, type ClientHost } from '../client/support/host.js';
import { uniqueName } from '../support/infrastructure.js';

vi.setConfig({ testTimeout: 60_000 });

let host: ClientHost;

beforeAll(async () => {
  host = await startClientHost();
});
afterAll(() => host?.close());

async function perdure(...words: string[]): Promise<{ code: number; out: string[]; errors: string[] }> {
  const [out, errors]: string[][] = [[], []];
  const code = await run(words, {
    environment: {
      PERDURE_API: host.api,
      PERDURE_TOKEN_ENDPOINT: host.tokenEndpoint,
      PERDURE_CLIENT_ID: 'editor',
      PERDURE_CLIENT_SECRET: 'dev-editor',
    },
    folder: '/',
    write: (line) => void out!.push(line),
    complain: (line) => void errors!.push(line),
    signal: new AbortController().signal,
  });
  return { code, out: out!, errors: errors! };
}

/** An instance that waits for the message `name` with the text "5" as its key. */
async function waiting(name: string): Promise<string> {
  const path = { projectID };
  const message = `<bpmn:message id="M" name="${name}">${extensions('<zeebe:subscription correlationKey="=&#34;5&#34;" />')}</bpmn:message>`;
  const xml = sequenceModel(name, [catchEvent('wait', on.message('M'))], message);
  const editor = host.client('editor');
  const { id } = await unwrap(
    editor.POST('/projects/{projectID}/bpmn/resources', { params: { path }, body: { name, xml } }),
  );
  await unwrap(
    editor.POST('/projects/{projectID}/bpmn/resources/{resourceID}/deploy', {
      params: { path: { projectID, resourceID: id } },
    }),
  );
  const { out } = await perdure('start', name);
  const workflowID = out[0]!;
  await vi.waitFor(async () => expect((await perdure('waits', workflowID)).out.join()).toContain('message'), {
    timeout: 30_000,
  });
  return workflowID;
}

it('an instance says what it waits for, and a kept message whom it misses', async () => {
  const name = uniqueName('paid');
  const workflowID = await waiting(name);
  const { publicationID } = await unwrap(
    host.client('executor').POST('/projects/{projectID}/bpmn/messages', {
      params: { path: { projectID } },
      body: { messageName: name, correlationKeys: 5 },
    }),
  );
  const waits = await perdure('waits', workflowID);
  expect(waits.out[0]).toMatch(/^SINCE +KIND +NODE +WAITS FOR$/);
  expect(waits.out[1]).toContain(`message "${name}" with the key "5"; 1 kept message of this name with another key`);
  expect(waits.out.at(-1)).toBe('1 wait, page 1 of 1');

  const listed = await perdure('messages', '--name', name, '--state', 'kept');
  expect(listed.out[1]).toMatch(new RegExp(`^${publicationID} +message +${name} +5 +KEPT `));
  const shown = await perdure('messages', 'show', publicationID);
  expect(shown.out).toContain(`does not match wait of instance ${workflowID}:`);
  expect(shown.out).toContain('  the key is the number 5; the subscription has the text "5"');

  expect(await perdure('messages', 'delete', publicationID, '--reason', 'wrong key')).toMatchObject({
    code: 0,
    out: [`Deleted publication ${publicationID}`],
  });
  expect((await perdure('messages', '--name', name, '--json')).out[0]).toContain('"state":"DELETED"');
});

it('the command line refuses an action that it does not know and one without a message', async () => {
  for (const words of [['drop', 'x'], ['show']])
    expect(await perdure('messages', ...words)).toMatchObject({
      code: 2,
      errors: [expect.stringContaining('Expected show or delete and a publication id')],
    });
});
