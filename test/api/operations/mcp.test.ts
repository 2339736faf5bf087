/** Tools of the Model Context Protocol that act on a whole host, by the official client. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { sequenceModel, userTask } from '@perdure/testkit/models';
import type { ProjectRole } from '../../../api/contract/roles.js';
import { connect } from '../mcp/support/client.js';
import { startTestHost, type TestHost } from './support/host.js';
import { deploy, start, untilStatus } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;
let definitionID: string;

beforeAll(async () => {
  host = await startTestHost();
  definitionID = await deploy(host, sequenceModel('approval', [userTask('approve')]));
});
afterAll(() => host.close());

async function call(role: ProjectRole, name: string, given: Record<string, unknown>): Promise<CallToolResult> {
  const client = await connect(host.api, { token: await host.token(role), write: true });
  try {
    return (await client.callTool({ name, arguments: given })) as CallToolResult;
  } finally {
    await client.close();
  }
}

const entriesOf = async (workflowID: string) =>
  (await host.call('admin', 'GET', `/audit?workflowID=${workflowID}`)).body.data as Record<string, unknown>[];

describe('a tool', () => {
  it('starts an instance that another one cancels, and both are in the audit log with their reasons', async () => {
    const body = { processDefinitionID: definitionID, variables: { amount: 1 } };
    const started = await call('executor', 'StartBpmnInstance', { body });
    const { workflowID } = started.structuredContent as { workflowID: string };
    const canceled = await call('editor', 'CancelBpmnInstance', { workflowID, reason: 'a mistake' });
    expect(canceled.isError).toBeUndefined();
    await untilStatus(host, workflowID, 'CANCELED');
    expect(await entriesOf(workflowID)).toMatchObject([
      { via: 'MCP', operation: 'CancelBpmnInstance', actor: 'editor', reason: 'a mistake' },
      { via: 'MCP', operation: 'StartBpmnInstance', actor: 'executor', names: ['amount'] },
    ]);
  });

  it('returns what the REST API returns', async () => {
    const workflowID = await start(host, definitionID);
    // It does not change anymore once it waits.
    const { body } = await eventually(
      () => host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`),
      ({ body: { activeScopes } }) => activeScopes?.[0]?.activeNodes.approve === 1,
    );
    const { structuredContent, content } = await call('viewer', 'GetBpmnInstance', { workflowID });
    expect(structuredContent).toEqual(body);
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(body) }]);
  });

  it('starts one instance however often it is called with a key, also over the REST API', async () => {
    const body = { processDefinitionID: definitionID, businessId: 'started-once' };
    const headers = { 'Idempotency-Key': 'agent-1' };
    const given = { body, ...headers };
    const called = await Promise.all([
      call('executor', 'StartBpmnInstance', given),
      call('executor', 'StartBpmnInstance', given),
    ]);
    const repeated = await host.call('executor', 'POST', '/bpmn/instances', { json: body, headers });
    for (const { structuredContent } of called)
      expect(structuredContent).toMatchObject({ workflowID: repeated.body.workflowID });
    const listed = await host.call('viewer', 'GET', '/bpmn/instances?businessId=started-once');
    expect(listed.body.pagination.total).toBe(1);
    const other = { ...given, body: { ...body, businessId: 'another' } };
    expect(await call('executor', 'StartBpmnInstance', other)).toMatchObject({
      isError: true,
      structuredContent: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
  });

  it('waits as long as its caller prefers', async () => {
    const given = { body: { processDefinitionID: definitionID }, Prefer: 'wait=0' };
    const { structuredContent } = await call('executor', 'StartBpmnInstance', given);
    expect(structuredContent).toHaveProperty('result');
    const without = await call('executor', 'StartBpmnInstance', { body: given.body });
    expect(without.structuredContent).not.toHaveProperty('result');
  });

  it('returns the file of a definition as text', async () => {
    const { content } = await call('viewer', 'GetBpmnDefinitionXml', { definitionID });
    expect(content[0]).toMatchObject({ type: 'text', text: expect.stringContaining('bpmn:definitions') });
  });

  it('that does not succeed returns the problem, and leaves no entry', async () => {
    const workflowID = await start(host, definitionID);
    const before = await entriesOf(workflowID);
    const refused = await call('executor', 'CompleteBpmnUserTask', { executionKey: 'none', body: {} });
    expect(refused).toMatchObject({ isError: true, structuredContent: { code: 'NOT_FOUND', status: 404 } });
    expect(await entriesOf(workflowID)).toEqual(before);
  });
});
