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
  const client = await connect(host.api, { token: await host.token(role), write: 'all' });
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

describe('a start event that is marked as a tool', () => {
  const PROPERTY = 'io.camunda.tool:';
  /** A process that answers the double of `amount`. */
  const model = (id: string, tool: string, { event = '', outputs = '' } = {}) =>
    `<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="d-${id}" targetNamespace="t">
      <bpmn:message id="m" name="message-${id}" />
      <bpmn:process id="${id}" name="Doubles" isExecutable="true">
        <bpmn:startEvent id="s"><bpmn:extensionElements>
          <zeebe:properties><zeebe:property name="${PROPERTY}name" value="${tool}" /><zeebe:property name="${PROPERTY}purpose" value="Doubles an amount" /></zeebe:properties>
          ${outputs}</bpmn:extensionElements><bpmn:outgoing>f</bpmn:outgoing>${event}</bpmn:startEvent>
        <bpmn:sequenceFlow id="f" sourceRef="s" targetRef="t" />
        <bpmn:scriptTask id="t"><bpmn:extensionElements><zeebe:script expression="=2 * amount" resultVariable="double" /></bpmn:extensionElements>
          <bpmn:incoming>f</bpmn:incoming><bpmn:outgoing>g</bpmn:outgoing></bpmn:scriptTask>
        <bpmn:sequenceFlow id="g" sourceRef="t" targetRef="e" />
        <bpmn:endEvent id="e"><bpmn:incoming>g</bpmn:incoming></bpmn:endEvent>
      </bpmn:process></bpmn:definitions>`;
  const byMessage = { event: '<bpmn:messageEventDefinition messageRef="m" />' };
  const described = {
    outputs:
      '<zeebe:ioMapping><zeebe:output source="=fromAi(amount, &quot;The amount&quot;, &quot;number&quot;)" target="amount" /></zeebe:ioMapping>',
  };

  async function toolsOf(role: ProjectRole, write?: string) {
    const client = await connect(host.api, { token: await host.token(role), ...(write !== undefined && { write }) });
    const { tools } = await client.listTools();
    await client.close();
    return tools.filter(({ description }) => description?.startsWith('Doubles an amount'));
  }

  it('is listed with its input schema, for those that may start it', async () => {
    await deploy(host, model('listed', 'double_listed', described));
    expect(await toolsOf('executor', 'safe')).toMatchObject([
      {
        name: 'double_listed',
        title: 'Doubles',
        inputSchema: {
          type: 'object',
          properties: { amount: { type: 'number', description: 'The amount' }, Prefer: { type: 'string' } },
          required: ['amount'],
          additionalProperties: false,
        },
        annotations: { readOnlyHint: false },
      },
    ]);
    expect(await toolsOf('viewer', 'all')).toEqual([]);
    expect(await toolsOf('admin')).toEqual([]);
    expect(
      (await call('viewer', 'double_listed', { amount: 1 }).catch((error: Error) => error.message)) as string,
    ).toMatch(/Unknown tool/);
    await deploy(host, sequenceModel('listed', [userTask('t')]));
    expect(await toolsOf('executor', 'safe')).toEqual([]);
  });

  it.each([
    ['none', {}],
    ['message', byMessage],
  ])('starts an instance from a %s start event, with its result if the caller waits', async (kind, start) => {
    await deploy(host, model(`called-${kind}`, `double_${kind}`, start));
    const { structuredContent, isError } = await call('executor', `double_${kind}`, { amount: 21, Prefer: 'wait=30' });
    expect(isError).toBeUndefined();
    const { workflowID } = structuredContent as { workflowID: string };
    expect(structuredContent).toMatchObject({ result: { status: 'COMPLETED', variables: { amount: 21, double: 42 } } });
    expect((await entriesOf(workflowID)).concat(await published())).toContainEqual(
      expect.objectContaining({ via: 'MCP', actor: 'executor', names: ['amount'] }),
    );
    const { structuredContent: started } = await call('executor', `double_${kind}`, { amount: 1 });
    expect(started).toEqual(expect.objectContaining({ workflowID: expect.any(String) }));
    expect(started).not.toHaveProperty('result');
  });

  const published = async () =>
    (await host.call('admin', 'GET', '/audit?operation=PublishBpmnMessage')).body.data as Record<string, unknown>[];

  it('starts one instance however often it is called with a key', async () => {
    await deploy(host, model('keyed', 'double_keyed'));
    const given = { amount: 1, 'Idempotency-Key': 'agent-2' };
    const called = await Promise.all([
      call('executor', 'double_keyed', given),
      call('executor', 'double_keyed', given),
    ]);
    const ids = called.map(({ structuredContent }) => structuredContent?.['workflowID']);
    expect(ids).toEqual([expect.any(String), ids[0]]);
  });

  it('that the host refuses returns the problem', async () => {
    const refused = await deploy(host, model('refused', 'double_refused'));
    await host.call('admin', 'POST', `/bpmn/definitions/${refused}/suspend`, { json: {} });
    expect(await call('executor', 'double_refused', { amount: 1 })).toMatchObject({
      isError: true,
      structuredContent: { code: 'DEFINITION_SUSPENDED' },
    });
    expect(await call('executor', 'double_refused', { amount: 1, Prefer: 'ä' })).toMatchObject({
      isError: true,
      structuredContent: { code: 'BAD_REQUEST' },
    });
  });

  it('with the name of an operation does not replace it', async () => {
    await deploy(host, model('impostor', 'CancelBpmnInstance'));
    expect((await toolsOf('admin', 'all')).map(({ name }) => name)).not.toContain('CancelBpmnInstance');
  });
});
