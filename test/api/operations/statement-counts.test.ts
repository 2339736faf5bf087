/**
 * The statements that a request needs, and the first commit after it. `docs/performance.md` has the table. A statement that
 * is added here costs every instance.
 */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { sequenceModel, userTask } from '@perdure/testkit/models';
import { startTestHost, type TestHost } from './support/host.js';
import { deploy, start, untilStatus } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

/** Statements that have no name, or not always, by how they begin or by a part that no other has. */
const known: readonly (readonly [RegExp, string])[] = [
  [/^BEGIN/, 'begin'],
  [/^COMMIT/, 'commit'],
  [/INSERT INTO steps \(/, 'commit step'],
  [/INSERT INTO publications \(/, 'publish'],
  [/AS "canStart"/, 'read due publications'],
  [/FROM projects WHERE deleted_at IS NOT NULL$/, 'read deleted projects'],
];

interface Sent {
  statement: string;
  application: string | undefined;
}

const sent: Sent[] = [];
let host: TestHost;

beforeAll(async () => {
  const query = pg.Client.prototype.query;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    const asked = given[0] as string | { name?: string; text: string };
    const { connectionParameters } = this as unknown as { connectionParameters: { application_name?: string } };
    sent.push({ statement: nameOf(asked), application: connectionParameters.application_name });
    return Reflect.apply(query, this, given) as unknown;
  } as never);
  host = await startTestHost({ application: 'api' });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await host?.close();
});
beforeEach(() => void sent.splice(0));

function nameOf(asked: string | { name?: string; text: string }): string {
  const { name, text } = typeof asked === 'string' ? { name: undefined, text: asked } : asked;
  return known.find(([pattern]) => pattern.test(text.trim()))?.[1] ?? name ?? text;
}

/** Read at intervals, whatever is asked: the outcomes that requests wait for, and the deleted projects. */
const atIntervals = ['read outcome', 'read deleted projects'];

/** The statements of the API process for one request, in alphabetical order. */
async function statementsOf(work: () => Promise<void>): Promise<string[]> {
  sent.splice(0);
  await work();
  const statements = sent.flatMap(({ statement, application }) => (application === 'api' ? statement : []));
  return statements.filter((statement) => !atIntervals.includes(statement)).toSorted();
}

async function expectSuccess(role: 'executor' | 'viewer', path: string, json: object, prefer = 'wait=20') {
  const { status, body } = await host.call(role, 'POST', path, { json, headers: { Prefer: prefer } });
  expect(status, `${path} answered ${JSON.stringify(body)}`).toBeLessThan(202);
}

const catchMessage =
  '<bpmn:intermediateCatchEvent id="wait"><bpmn:messageEventDefinition messageRef="root" /></bpmn:intermediateCatchEvent>';
const message =
  '<bpmn:message id="root" name="paid"><bpmn:extensionElements><zeebe:subscription correlationKey="=key" /></bpmn:extensionElements></bpmn:message>';

const publishPaid = (key: string) => ({ messageName: 'paid', correlationKeys: key, variables: {}, ttl: 'PT1M' });

const taken = [
  'announce',
  'begin',
  'commit',
  'give message',
  'publish',
  'read due publications',
  'read publication',
  'subscribers of a message',
  'try to lock channel',
];
const kept = [
  'announce',
  'begin',
  'commit',
  'keep message',
  'publish',
  'read due publications',
  'read publication',
  'subscribers of a message',
  'try to lock channel',
];

/** An instance with one wait: 11 events and 2 workflow tasks, one of them for the signal. */
async function expectTwoTasks(workflowID: string): Promise<void> {
  await untilStatus(host, workflowID, 'COMPLETED');
  const { events } = await eventually(
    () => host.historyOf(workflowID),
    (history) => Boolean(history.events!.at(-1)!.workflowExecutionCompletedEventAttributes),
  );
  expect(events).toHaveLength(11);
  expect(events!.filter((event) => event.workflowTaskCompletedEventAttributes)).toHaveLength(2);
}

it('a message that an instance waits for takes nine statements until its instance has handled it', async () => {
  const definitionID = await deploy(host, sequenceModel('paid', [catchMessage], message));
  const workflowID = await start(host, definitionID, { variables: { key: 'k1' } });
  await eventually(
    async () =>
      (await host.store.query('SELECT 1 FROM subscriptions WHERE workflow_id = $1 AND match_at IS NULL', [workflowID]))
        .rowCount,
    (count) => count === 1,
  );
  const wait = vi.spyOn(host.api.context.notifications, 'awaitOutcome');
  expect(await statementsOf(() => expectSuccess('executor', '/bpmn/messages', publishPaid('k1')))).toEqual(taken);
  const [, , , , isNew] = wait.mock.lastCall!;
  expect(isNew, 'it listens before the signal, so it need not look').toBe(true);
  await expectTwoTasks(workflowID);
});

it('a message that no instance waits for takes nine statements, and starts no search for instances to start', async () => {
  expect(await statementsOf(() => expectSuccess('executor', '/bpmn/messages', publishPaid('nobody')))).toEqual(kept);
});

it('an executor completes a user task with one statement', async () => {
  const definitionID = await deploy(host, sequenceModel('asked', [userTask('decide')]));
  const workflowID = await start(host, definitionID, { variables: {} });
  const { body } = await eventually(
    () => host.call('executor', 'GET', `/bpmn/user-tasks?workflowID=${workflowID}`),
    (found) => found.body.data.length === 1,
  );
  const path = `/bpmn/user-tasks/${body.data[0].executionKey}/complete`;
  expect(await statementsOf(() => expectSuccess('executor', path, {}))).toEqual(['end user task']);
  await expectTwoTasks(workflowID);
});

it('a start is one statement, and its first commit another one', async () => {
  const definitionID = await deploy(host, sequenceModel('begun', [userTask('decide')]));
  const statements = await statementsOf(async () => {
    await start(host, definitionID, { variables: {} });
    await eventually(
      async () => sent.some(({ statement }) => statement === 'commit step'),
      (isCommitted) => isCommitted,
    );
  });
  expect(statements).toEqual(['start instance']);
  expect(sent.filter(({ statement }) => statement === 'commit step')).toHaveLength(1);
});
