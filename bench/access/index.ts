/** `npm run bench -- --access`: measures timing leaks, and the effect of a flood of invalid tokens on other callers. */
import { startTemporaryHost } from '../../dev/temporary-host.js';
import { measureDisclosure, type DisclosureFigures } from './disclosure.js';
import { measureFlood, type FloodFigures } from './flood.js';
import { startCountingIssuer, type CountingIssuer } from './issuer.js';

export interface AccessFigures {
  disclosure: DisclosureFigures;
  flood: FloodFigures;
}

const floodPerSecond = 1_000;
const floodSeconds = 60;
const foreignProject = 'foreign-project';

export async function measureAccess(): Promise<AccessFigures> {
  const issuer = await startCountingIssuer();
  try {
    const disclosure = await withHost(
      issuer,
      { RATE_LIMIT_PER_SECOND: '100000', RATE_LIMIT_BURST: '100000', MAX_CONNECTIONS_PER_ADDRESS: '4096' },
      async (api) =>
        measureDisclosure(api, issuer, {
          project: foreignProject,
          workflowID: await startForeignInstance(api, issuer),
        }),
    );
    // With the limits as they come.
    const flood = await withHost(issuer, {}, (api) => measureFlood(api, issuer, floodPerSecond, floodSeconds));
    return { disclosure, flood };
  } finally {
    await issuer.close();
  }
}

async function withHost<Figures>(
  issuer: CountingIssuer,
  variables: Record<string, string>,
  measure: (api: string) => Promise<Figures>,
): Promise<Figures> {
  const host = await startTemporaryHost({ OIDC_ISSUER: issuer.url, ...variables });
  try {
    return await measure(host.api);
  } finally {
    await host.stop();
  }
}

const model = `<?xml version="1.0"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="d" targetNamespace="bench">
  <bpmn:process id="waits" isExecutable="true">
    <bpmn:startEvent id="start" /><bpmn:sequenceFlow id="a" sourceRef="start" targetRef="work" />
    <bpmn:serviceTask id="work"><bpmn:extensionElements><zeebe:taskDefinition type="never" /></bpmn:extensionElements></bpmn:serviceTask>
    <bpmn:sequenceFlow id="b" sourceRef="work" targetRef="end" /><bpmn:endEvent id="end" />
  </bpmn:process>
</bpmn:definitions>`;

/** An instance that runs, and keeps running, in a project that the caller is not a member of. */
async function startForeignInstance(api: string, issuer: CountingIssuer): Promise<string> {
  const token = await issuer.sign({ sub: 'owner', projects: [{ id: foreignProject, roles: ['editor'] }] });
  const call = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const response = await fetch(`${api}/projects/${foreignProject}/bpmn${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return response.status === 204 ? {} : ((await response.json()) as Record<string, unknown>);
  };
  const { id } = await call('POST', '/resources', { name: 'waits', xml: model });
  await call('POST', `/resources/${String(id)}/deploy`);
  const { workflowID } = await call('POST', `/resources/${String(id)}/test`, {});
  return String(workflowID);
}
