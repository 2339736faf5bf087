import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolveSecrets } from '../../connectors/http/resolve.js';
import { createSecrets } from '../../outbound/secrets/secrets.js';
import type { TestHost } from '../api/operations/support/host.js';
import { untilStatus } from '../api/operations/support/steps.js';
import { startHttpTasks, TOKEN, type HttpTasks } from './support/http-tasks.js';
import { answerWith, type Received, type Service } from './support/service.js';

let tasks: HttpTasks;
let host: TestHost;
let service: Service;
beforeAll(async () => {
  tasks = await startHttpTasks();
  ({ host, service } = tasks);
});
afterAll(() => tasks?.close());

describe('a secret in the host of a URL', () => {
  it.each(['https://{}.example.com/orders', 'https://a.{}.example.com:8443/', 'https://x{}.example.com'])(
    'is not sent to %s, where name servers would see it',
    async (url) => {
      const token = `x${'0123456789abcdef'.repeat(2)}y`;
      const secrets = createSecrets(undefined, {
        p1: { WILD: { values: ['top-secret-value'], hosts: ['*.example.com', '*.example.com:8443'] } },
      });
      const call = { url: url.replace('{}', token), method: 'GET', headers: {}, basic: undefined, body: undefined };
      const placeholders = [{ token, secretName: 'WILD', reference: '{{secrets.WILD}}' }];
      const resolved = resolveSecrets(call, placeholders, { secrets, projectID: 'p1' });
      await expect(resolved).rejects.toMatchObject({
        code: 'SECRET_REFUSED',
        message: expect.stringContaining('the host of its URL contains the secret WILD'),
      });
    },
  );
});

describe('a secret', () => {
  it('goes into the parts of a request whose mappings name it', async () => {
    await tasks.completed({
      inputs: {
        url: `="${service.url}/hooks/" + "{{secrets.TOKEN}}"`,
        method: 'POST',
        headers: '={Authorization: "Bearer {{secrets.TOKEN}}", at: string(now())}',
        'body.nested.key': '{{ secrets.TOKEN }}',
        'body.amount': '=12',
      },
    });
    const received = service.received.find(({ url }) => url.startsWith('/hooks/'))!;
    expect(decodeURIComponent(received.url)).toBe(`/hooks/${TOKEN}`);
    expect(received.headers.authorization).toBe(`Bearer ${TOKEN}`);
    expect(JSON.parse(received.body)).toEqual({ nested: { key: TOKEN }, amount: 12 });
  });

  it('never comes from the text of a variable, even where the mapping names the same secret', async () => {
    await tasks.completed(
      {
        inputs: {
          url: `${service.url}/injected`,
          method: 'POST',
          headers: '={A: "{{secrets.TOKEN}}", B: given, C: "{{secrets.TOKEN}} " + given}',
          body: '={text: given, joined: "{{sec" + "rets.TOKEN}}"}',
        },
      },
      { given: '{{secrets.TOKEN}}' },
    );
    const [{ headers, body }] = tasks.requestsTo('/injected') as [Received];
    expect(headers).toMatchObject({ a: TOKEN, b: '{{secrets.TOKEN}}', c: `${TOKEN} {{secrets.TOKEN}}` });
    expect(JSON.parse(body)).toEqual({ text: '{{secrets.TOKEN}}', joined: '{{secrets.TOKEN}}' });
  });

  it('is not sent when its text mixes with a value that has changed since', async () => {
    const found = await tasks.incident({
      inputs: { url: `${service.url}/mixed`, headers: '={A: "{{secrets.TOKEN}} " + string(now())}' },
    });
    expect(found).toMatchObject({ errorCode: 'SECRET_REFUSED' });
    expect(tasks.requestsTo('/mixed')).toEqual([]);
  });

  it('that the service repeats is masked, and is in no table, no history, and no log', async () => {
    service.on('/echo', ({ headers, body, url }, response) =>
      answerWith(
        200,
        {
          headers,
          body,
          url,
          path: encodeURI(TOKEN),
          again: TOKEN,
          base64: Buffer.from(`u:${TOKEN}`).toString('base64'),
          [TOKEN]: 1,
        },
        { 'x-echo': TOKEN },
      )({} as never, response),
    );
    const workflowID = await tasks.begin({
      inputs: {
        url: `${service.url}/echo?key={{secrets.TOKEN}}`,
        method: 'POST',
        headers: '={Authorization: "Bearer {{secrets.TOKEN}}"}',
        body: '={key: "{{secrets.TOKEN}}"}',
      },
      headers: { resultVariable: 'echo' },
    });
    await untilStatus(host, workflowID, 'COMPLETED');
    const { variables } = (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/variables`)).body;
    expect(variables.echo.body).toMatchObject({ again: '***', '***': 1 });
    expect(variables.echo.headers['x-echo']).toBe('***');

    // Nothing that also occurs by chance, such as four digits in an id.
    const forms = ['marks', encodeURIComponent(TOKEN), Buffer.from(TOKEN).toString('base64').slice(0, 24)];
    const { rows: tables } = await host.store.query<{ name: string }>(
      "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'",
    );
    for (const { name } of tables) {
      const { rows } = await host.store.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`);
      const text = rows.map((row) => row.text).join('\n');
      for (const form of forms) expect(text.includes(form), `${form} in ${name}`).toBe(false);
    }
    const logs = JSON.stringify(host.api.logs());
    const history = JSON.stringify((await host.historyOf(workflowID)).events);
    for (const form of forms) {
      expect(logs).not.toContain(form);
      expect(history).not.toContain(form);
    }
  });
});
