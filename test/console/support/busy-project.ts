/** A project as it is after weeks of work: ten versions, long names, hundreds of instances, incidents, and open tasks. */
import { Client } from 'pg';
import { expect, vi } from 'vitest';
import { exampleFile, type ConsoleHost } from './host.js';
import { insertPastHours, insertPastStatistics, type PastNode } from './past-statistics.js';

export const versions = 10;
export const processID = 'business-customer-onboarding';
const processName = 'Onboarding of business customers with credit check and identity verification';
const taskName = 'Compare the signed framework agreement with the approved offer';
const minute = 60_000;

const form = JSON.stringify({
  id: 'approve-order',
  type: 'default',
  schemaVersion: 16,
  components: [
    { type: 'textfield', id: 'Customer', key: 'customer', label: 'Customer', readonly: true },
    { type: 'number', id: 'Total', key: 'total', label: 'Total in euros', readonly: true },
    { type: 'checkbox', id: 'Approved', key: 'approved', label: 'The agreement matches the offer' },
    { type: 'textarea', id: 'Note', key: 'note', label: 'Note for the sales team' },
  ],
});

/** The example under another id, with longer names, and with tasks that are due and offered to the executor. */
function onboarding(version: number): string {
  return exampleFile('order-fulfilment.bpmn')
    .replaceAll('order-fulfilment', processID)
    .replace(/name="Order [^"]*(?=" isExecutable)/, `name="${processName}`)
    .replace('name="Approve order"', `name="${taskName}"`)
    .replace('Large order?', version === 1 ? 'Large customer?' : `Large customer, rule ${version}?`)
    .replace(
      '<zeebe:assignmentDefinition candidateGroups="sales" />',
      '<zeebe:assignmentDefinition candidateUsers="executor" /><zeebe:taskSchedule dueDate="=due" />',
    );
}

/** The file of the last version, with one more change. */
export const nextVersion = onboarding(versions + 1);

const customers = [
  'ACME',
  'Rheinisch-Westfälische Elektrizitätsgenossenschaft',
  'Bäckerei Nowak & Töchter',
  'Société Générale de Transports Maritimes',
  'K2',
  '株式会社サンプル商事',
];
const customerOf = (index: number) => customers[index % customers.length]!;
const businessIdOf = (index: number) => `${customerOf(index)} / 2026-${String(10_000 + index)}`;
/** In days from now. */
const due = [-9, -1, 0.2, 2, 12, undefined];

const nodes: readonly PastNode[] = [
  { nodeID: '', share: 1, medianMs: 95 * minute, failedShare: 0.02 },
  { nodeID: 'OrderReceived', share: 1, medianMs: 5 },
  { nodeID: 'ReserveStock', share: 1, medianMs: 2 * minute, failedShare: 0.01, waitingShare: 0.3 },
  { nodeID: 'ApproveOrder', share: 0.2, medianMs: 50 * minute, waitingShare: 0.7 },
  { nodeID: 'CollectPayment', share: 0.95, medianMs: 6 * minute, failedShare: 0.02 },
  { nodeID: 'PackAndShip', share: 0.9, medianMs: 70 * minute },
  { nodeID: 'PackItems', share: 0.9, medianMs: 20 * minute, waitingShare: 0.5 },
];

/** @returns the id of an instance that waits for a person */
export async function fillProject(host: ConsoleHost): Promise<string> {
  await host.deploy('collect-payment.bpmn', exampleFile('collect-payment.bpmn'));
  await host.deploy('order-fulfilment.bpmn', exampleFile('order-fulfilment.bpmn'));
  let definitionID = '';
  for (let version = 1; version <= versions; version += 1)
    definitionID = await host.deployBundle({ 'onboarding.bpmn': onboarding(version), 'approve-order.form': form });
  await host.call('editor', 'PUT', `/processes/${processID}/targets`, { targets: [{ duration: 'PT1S' }] });
  // First, because numbers of instances are in the order of their creation.
  await insertPast(host.databaseUrl);
  return startAll(host, definitionID);
}

/** Starts instances, of which a third waits for a worker, a third for a person, and a third at an incident. */
async function startAll(host: ConsoleHost, definitionID: string): Promise<string> {
  const started: string[] = [];
  for (let index = 0; index < 36; index += 1) {
    const days = due[Math.floor(index / 3) % due.length];
    const variables = {
      orderID: `order-${index}`,
      customer: customerOf(index),
      items: [],
      due: days === undefined ? null : new Date(Date.now() + days * 86_400_000).toISOString(),
      ...(index % 3 < 2 && { total: 1_500 + 10 * index }),
    };
    started.push(await host.start(definitionID, variables, businessIdOf(index)));
  }
  const isLeft = (index: number) => index % 3 === 0;
  await Promise.all(
    started.filter((_, index) => !isLeft(index)).map((workflowID) => completeFirstJob(host, workflowID)),
  );
  const waiting = started.filter((_, index) => index % 3 === 1);
  await Promise.all(waiting.map((workflowID) => host.openTask(workflowID)));
  await host.call('admin', 'POST', `/instances/${started[0]}/suspend`, { reason: 'Audit of the quarter' });
  await vi.waitFor(
    async () =>
      expect(await host.call('viewer', 'GET', '/statistics')).toMatchObject({
        instances: { running: 36, withIncident: 12 },
        userTasks: { open: 12 },
      }),
    { timeout: 60_000, interval: 500 },
  );
  return waiting[0]!;
}

async function completeFirstJob(host: ConsoleHost, workflowID: string): Promise<void> {
  const job = await vi.waitFor(
    async () =>
      (await host.call('viewer', 'GET', `/instances/${workflowID}/external-jobs?status=PENDING`)).data[0] ??
      expect.unreachable('no job yet'),
    { timeout: 30_000 },
  );
  await host.call('executor', 'POST', `/external-jobs/${job.executionKey}/complete`, { workflowID });
}

/** Ended instances of three weeks, and their statistics. */
async function insertPast(databaseUrl: string): Promise<void> {
  await insertEnded(databaseUrl, 400);
  const past = { from: 160, to: 26, incidentShare: 0.03 };
  await insertPastHours(databaseUrl, { ...past, processID, atNoon: 140, medianMs: 95 * minute });
  await insertPastHours(databaseUrl, { ...past, processID: 'collect-payment', atNoon: 120, medianMs: 4 * minute });
  for (let version = 2; version <= versions; version += 1)
    await insertPastStatistics(databaseUrl, { processID, version, days: 29, perDay: 12 * version, nodes });
}

async function insertEnded(databaseUrl: string, count: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `WITH ended AS (
         SELECT n, ('019a' || lpad(to_hex(n), 4, '0') || substr(gen_random_uuid()::text, 9)) AS id,
           now() - (n || ' hours')::interval - interval '1 hour' AS began, $1::text[] AS customers
         FROM generate_series($2::int, 1, -1) n)
       INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, business_id, status, failure_reason,
         started_by, created_at, completed_at, variables)
       SELECT e.id, 'demo', d.id, e.id, customers[1 + n % array_length(customers, 1)] || ' / 2026-' || (9000 - n),
         CASE WHEN n % 17 = 0 THEN 'FAILED' WHEN n % 23 = 0 THEN 'CANCELED' ELSE 'COMPLETED' END,
         CASE WHEN n % 17 = 0 THEN 'The credit bureau answered 503 Service Unavailable after five attempts' END,
         'executor', began, began + (n % 50 + 1) * interval '71 seconds', '{}'
       FROM ended e
       JOIN definitions d ON d.project_id = 'demo' AND d.process_id = $3 AND d.version = 1 + n % $4::int
       ORDER BY e.began`,
      [customers, count, processID, versions],
    );
  } finally {
    await client.end();
  }
}
