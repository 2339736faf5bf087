/** The tools that an official client of the Model Context Protocol lists. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../api/operations/index.js';
import { includesRole, isProjectRole, projectRoles, type ProjectRole } from '../../../api/contract/roles.js';
import type { Database } from '../../../store/sql/database.js';
import { startTestApi, type TestApi } from '../support/api.js';
import { connect } from './support/client.js';

let api: TestApi;
beforeAll(async () => {
  // No process is a tool.
  const store = { query: async () => ({ rows: [] }) } as unknown as Database;
  api = await startTestApi({ context: { storeOf: () => store } });
});
afterAll(() => api.close());

const tokenOf = (role: ProjectRole) => api.issuer.sign({ sub: role, projects: [{ id: 'p1', roles: [role] }] });

async function toolsOf(role: ProjectRole, write?: 'safe' | 'all') {
  const client = await connect(api, { token: await tokenOf(role), ...(write !== undefined && { write }) });
  const { tools } = await client.listTools();
  await client.close();
  return tools;
}
const namesOf = async (role: ProjectRole, write?: 'safe' | 'all') =>
  (await toolsOf(role, write)).map(({ name }) => name);

/** Never a tool, for any role. */
const EXCLUDED = [
  'CallMcp',
  'CompleteBpmnExternalJobsBatch',
  'DeleteProject',
  'DeleteProjectMember',
  'DeployFromModeler',
  'GetBpmnInstanceEngineState',
  'GetCamundaTopology',
  'HeartbeatBpmnExternalJob',
  'ListProjectMembers',
  'ListSecrets',
  'PollBpmnExternalJobs',
  'PutProjectMember',
  'ThrowBpmnExternalJobErrorsBatch',
];

/** Not even with write=safe. */
const NOT_SAFE = [
  'CancelBpmnBatch',
  'ChangeProjectSettings',
  'CreateBpmnBatch',
  'DeleteBpmnPublication',
  'DeleteBpmnResource',
  'DeleteDefinition',
  'DeleteEventSubscription',
  'DeleteHook',
  'DeleteLimit',
  'EraseBpmnInstance',
  'MigrateBpmnInstance',
  'MigrateBpmnInstances',
  'PauseBpmnBatch',
  'PutBpmnProcessSettings',
  'RedactBpmnVariables',
  'ResumeBpmnBatch',
];

/** Tools that change something, and that a client may call without asking a person. */
const HARMLESS = [
  'AddBpmnUserTaskComment',
  'ClaimBpmnUserTask',
  'CreateBpmnResource',
  'RestartBpmnInstance',
  'StartBpmnInstance',
  'StartBpmnTestInstance',
  'UnclaimBpmnUserTask',
];

/** The operations that the role may call according to the declarations. */
const declaredFor = (role: ProjectRole) =>
  operations
    .filter((operation) => isProjectRole(operation.role) && includesRole(role, operation.role))
    .filter(({ operationID }) => !EXCLUDED.includes(operationID));
const sorted = (declared: typeof operations) => declared.map(({ operationID }) => operationID).sort();

describe('the list of tools', () => {
  it.each(projectRoles)('has for a %s with write=all exactly what its role may call', async (role) => {
    expect(await namesOf(role, 'all')).toEqual(sorted(declaredFor(role)));
  });

  it.each(projectRoles)('has for a %s without write only what reads', async (role) => {
    const reads = declaredFor(role).filter(
      ({ method, operationID }) =>
        method === 'GET' || /^(Validate|Convert|Search|EvaluateBpmnExpression)/.test(operationID),
    );
    expect(await namesOf(role)).toEqual(sorted(reads));
  });

  it('has with write=safe nothing that cannot be undone, and no settings, rights, or batches', async () => {
    const [safe, all] = [await namesOf('admin', 'safe'), await namesOf('admin', 'all')];
    expect(all.filter((name) => !safe.includes(name))).toEqual(NOT_SAFE);
    expect(safe).toEqual(expect.arrayContaining(['StartBpmnInstance', 'CancelBpmnInstance', 'ResolveBpmnIncident']));
  });

  it('has nothing that is recorded in the audit log without write', async () => {
    const recorded = operations.filter(({ records }) => records !== undefined);
    const listed = new Set(await namesOf('admin'));
    expect(recorded.filter(({ operationID }) => listed.has(operationID))).toEqual([]);
  });

  it('says of each tool whether it only reads, and whether it can destroy something', async () => {
    const reading = new Set(await namesOf('admin'));
    for (const { name, annotations } of await toolsOf('admin', 'all')) {
      const isReading = reading.has(name);
      const hints = { readOnlyHint: isReading, destructiveHint: !isReading && !HARMLESS.includes(name) };
      expect(annotations, name).toMatchObject(hints);
    }
  });

  it('describes path, query, and body as arguments, without the project', async () => {
    const tools = await toolsOf('admin', 'all');
    const schema = (name: string) => tools.find((tool) => tool.name === name)!.inputSchema;
    expect(schema('CancelBpmnInstance')).toMatchObject({
      type: 'object',
      properties: { workflowID: { type: 'string' }, reason: { type: 'string', maxLength: 1000 } },
      required: ['workflowID'],
      additionalProperties: false,
    });
    expect(Object.keys(schema('CreateBpmnBatch').properties!)).toEqual(['Idempotency-Key', 'body']);
  });

  it('takes a key and a wait exactly where the operation does, and needs neither', async () => {
    const tools = new Map((await toolsOf('admin', 'all')).map(({ name, inputSchema }) => [name, inputSchema]));
    for (const { operationID, accepts } of declaredFor('admin')) {
      const { properties = {}, required = [] } = tools.get(operationID)!;
      for (const name of ['Idempotency-Key', 'Prefer'] as const) {
        expect(name in properties, `${operationID} ${name}`).toBe(accepts.includes(name));
        expect(required, operationID).not.toContain(name);
      }
      expect(properties, operationID).not.toHaveProperty('Last-Event-ID');
    }
    expect(tools.get('StartBpmnInstance')!.properties).toMatchObject({
      'Idempotency-Key': { type: 'string', maxLength: 255, description: expect.stringContaining('24 hours') },
      Prefer: { type: 'string', description: expect.stringContaining('wait=N') },
    });
  });

  it('has schemas that refer to nothing outside themselves', async () => {
    for (const { name, inputSchema } of await toolsOf('admin', 'all')) {
      const named = Object.keys((inputSchema as { $defs?: object }).$defs ?? {});
      const references = [...JSON.stringify(inputSchema).matchAll(/"\$ref":"([^"]*)"/g)].map(([, to]) => to);
      const known = named.map((id) => `#/$defs/${id}`);
      expect(
        references.filter((to) => !known.includes(to!)),
        name,
      ).toEqual([]);
    }
  });
});
