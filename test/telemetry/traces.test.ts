/** From a request through the workflow to a worker and back: one trace. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { unwrap, workOnJobs, type Job } from '@perdure/client';
import { callActivity, sequenceModel, serviceTask } from '@perdure/testkit/models';
import { projectID, startClientHost, type ClientHost } from '../client/support/host.js';
import { tokenFor, uniqueName } from '../support/infrastructure.js';
import { startCollector, type CollectedSpan, type Collector } from './support/collector.js';

vi.setConfig({ testTimeout: 120_000 });

const traceID = '4bf92f3577b34da6a3ce929d0e0e4736';
const callerSpan = '00f067aa0ba902b7';
let collector: Collector;
let traced: ClientHost;
let untraced: ClientHost;

beforeAll(async () => {
  collector = await startCollector();
  const variables = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  };
  // Libraries of OpenTelemetry read the environment of the process when the host opens them.
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  traced = await startClientHost({ environment: variables }).finally(() => vi.unstubAllEnvs());
  untraced = await startClientHost();
});
afterAll(async () => {
  await Promise.all([traced?.close(), untraced?.close()]);
  await collector?.close();
});

/** Starts an instance as a caller that has its own span. */
async function start(host: ClientHost, definitionID: string, headers: Record<string, string>): Promise<string> {
  const answer = await fetch(`${host.api}/projects/${projectID}/bpmn/instances`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${await tokenFor('executor')}`, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ processDefinitionID: definitionID, variables: { secret: 'kept secret' } }),
  });
  return ((await answer.json()) as { workflowID: string }).workflowID;
}

/** Does jobs until the instance has ended; answers what the worker was given. */
async function work(host: ClientHost, taskType: string, workflowID: string): Promise<Job[]> {
  const stop = new AbortController();
  const jobs: Job[] = [];
  const executor = host.client('executor');
  const working = workOnJobs(
    {
      client: executor,
      projectID,
      clientID: uniqueName('worker'),
      taskType,
      handler: async (job) => void jobs.push(job),
    },
    stop.signal,
  );
  await vi.waitFor(
    async () => {
      const { status } = await unwrap(
        executor.GET('/projects/{projectID}/bpmn/instances/{workflowID}', {
          params: { path: { projectID, workflowID } },
        }),
      );
      expect(status).toBe('COMPLETED');
    },
    { timeout: 60_000, interval: 100 },
  );
  stop.abort();
  await working;
  return jobs;
}

function spanOf(jobContext: Record<string, string> | undefined): string {
  return (
    /^00-[0-9a-f]{32}-([0-9a-f]{16})-01$/.exec(jobContext?.['traceparent'] ?? '')?.[1] ??
    expect.fail(`no trace context: ${JSON.stringify(jobContext)}`)
  );
}

it('each span is the child of what caused it, from the caller through steps and jobs to the end, also into called instances', async () => {
  const taskType = uniqueName('traced');
  const called = uniqueName('called');
  await traced.deploy(sequenceModel(called, [serviceTask('inner', { type: taskType })]));
  const definitionID = await traced.deploy(
    sequenceModel(uniqueName('outer'), [
      serviceTask('outer', { type: taskType }),
      callActivity('call', called, { propagateAllChildVariables: true }),
    ]),
  );
  const workflowID = await start(traced, definitionID, {
    traceparent: `00-${traceID}-${callerSpan}-01`,
    tracestate: 'vendor=1',
  });
  const [outer, inner] = await work(traced, taskType, workflowID);

  expect(outer?.traceContext).toEqual({ traceparent: expect.stringContaining(traceID), tracestate: 'vendor=1' });
  const spans = () => collector.spans.filter((span) => span.traceID === traceID);
  const named = (name: string, within: CollectedSpan[]) => within.filter((span) => span.name.startsWith(name));
  await vi.waitFor(() => expect(named('step', spans()).length).toBeGreaterThanOrEqual(5), {
    timeout: 20_000,
    interval: 100,
  });

  const all = spans();
  const parentOf = (span: CollectedSpan | undefined) => all.find(({ spanID }) => spanID === span?.parentSpanID);
  const started = named('POST /projects/{projectID}/bpmn/instances', all)[0];
  expect(started).toMatchObject({
    parentSpanID: callerSpan,
    attributes: {
      'http.response.status_code': 201,
      'perdure.operation': 'StartBpmnInstance',
      'perdure.projectID': projectID,
    },
  });
  const firstStep = all.find(({ spanID }) => spanID === spanOf(outer?.traceContext));
  expect(firstStep).toMatchObject({
    name: 'step',
    parentSpanID: started?.spanID,
    attributes: { 'perdure.workflowID': workflowID, 'perdure.step': 1 },
  });
  const completions = named('POST /projects/{projectID}/bpmn/external-jobs/{executionKey}/complete', all);
  expect(parentOf(completions.find((span) => span.attributes['perdure.executionKey'] === outer?.executionKey))).toBe(
    firstStep,
  );
  // The step that the completion caused has called the other process, whose first step made the inner job.
  const innerStep = all.find(({ spanID }) => spanID === spanOf(inner?.traceContext));
  const callingStep = parentOf(innerStep);
  expect(callingStep).toMatchObject({
    name: 'step',
    attributes: { 'perdure.workflowID': workflowID, 'perdure.step': 2 },
  });
  expect(completions).toContain(parentOf(callingStep));
  expect(collector.resource).toMatchObject({ 'service.name': 'perdure', 'deployment.environment.name': 'test' });
  expect(JSON.stringify(all)).not.toContain('kept secret');
});

it('without a caller that traces, the trace begins with the request', async () => {
  const taskType = uniqueName('traced');
  const workflowID = await start(
    traced,
    await traced.deploy(sequenceModel(uniqueName('alone'), [serviceTask('work', { type: taskType })])),
    {},
  );
  const [job] = await work(traced, taskType, workflowID);
  const own = job!.traceContext!['traceparent']!.split('-')[1];
  await vi.waitFor(
    () =>
      expect(collector.spans).toContainEqual(
        expect.objectContaining({ traceID: own, parentSpanID: '', name: 'POST /projects/{projectID}/bpmn/instances' }),
      ),
    { timeout: 20_000, interval: 100 },
  );
});

it('a host that sends no spans passes on what a caller sent', async () => {
  const taskType = uniqueName('untraced');
  const definitionID = await untraced.deploy(
    sequenceModel(uniqueName('untraced'), [
      serviceTask('first', { type: taskType }),
      serviceTask('second', { type: taskType }),
    ]),
  );
  const traceContext = { traceparent: `00-${traceID}-${callerSpan}-01`, tracestate: 'vendor=1' };
  const jobs = await work(untraced, taskType, await start(untraced, definitionID, traceContext));
  expect(jobs.map((job) => job.traceContext)).toEqual([traceContext, traceContext]);
  const without = await work(untraced, taskType, await start(untraced, definitionID, {}));
  expect(without.map((job) => job.traceContext)).toEqual([undefined, undefined]);
});
