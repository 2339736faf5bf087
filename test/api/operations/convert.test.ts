import { afterAll, beforeAll, expect, test } from 'vitest';
import { around } from '../../convert/models.js';
import { startTestHost, type TestHost } from './support/host.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const convert = (xml: string) => host.call('editor', 'POST', '/bpmn/convert', { json: { xml } });

test('an editor converts a file of another engine, and sees what deploying the result would report', async () => {
  const answer = await convert(around('<userTask id="a" camunda:assignee="${boss}" camunda:skipExpression="${x}"/>'));
  expect(answer).toMatchObject({
    status: 200,
    body: {
      xml: expect.stringContaining('assignee="=boss"'),
      findings: [{ outcome: 'unsupported', elementID: 'a', line: 7 }],
      unlistedFindings: 0,
      jobs: [],
      errors: [{ elementID: 'a', message: expect.stringContaining('camunda:skipExpression is not supported') }],
    },
  });
});

test('a converted file is deployed and runs', async () => {
  const { body } = await convert(around('<serviceTask id="a" camunda:class="org.acme.Pay"/>'));
  expect(body.jobs).toEqual([{ type: 'pay', elementID: 'a', performedBy: 'org.acme.Pay' }]);
  const { body: resource } = await host.call('editor', 'POST', '/bpmn/resources', {
    json: { name: 'p', xml: body.xml },
  });
  expect(await host.call('editor', 'POST', `/bpmn/resources/${resource.id}/deploy`)).toMatchObject({ status: 204 });
});

test.each(['', 'no xml', '<a>&foo;</a>'])('a file that is not well-formed is 400: %s', async (xml) => {
  expect(await convert(xml)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
});
