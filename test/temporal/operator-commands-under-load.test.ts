/** Operator commands while job workers work and instances rotate all the time: a cancel is final, an incident is resolved once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Fact } from '@perdure/engine/contract/facts.js';
import { cancelInstance } from '../../store/instances/cancellation.js';
import { resolveIncident } from '../../store/work/incidents.js';
import {
  endEvent,
  exclusiveGateway,
  extensions,
  parallelGateway,
  processModel,
  scriptTask,
  serviceTask,
  startEvent,
} from '@perdure/testkit/models';
import { jobsOfType } from './support/jobs.js';
import { jobLoop } from './support/models.js';
import { startRotatingServer, type RotatingServer } from './support/rotating-server.js';
import { openTemporalHost, project, type TemporalHost } from './support/temporal-host.js';
import { eventually } from '../support/eventually.js';

/** Works itself, and calls a process that works, once directly and once through another process. */
const family = processModel(
  'family',
  [
    startEvent('start'),
    parallelGateway('fork'),
    serviceTask('own', { type: 'work' }),
    `<bpmn:callActivity id="child">${extensions('<zeebe:calledElement processId="jobLoop" propagateAllChildVariables="false"/>')}</bpmn:callActivity>`,
    `<bpmn:callActivity id="grandchild">${extensions('<zeebe:calledElement processId="between" propagateAllChildVariables="false"/>')}</bpmn:callActivity>`,
    parallelGateway('join'),
    endEvent('end'),
  ],
  [
    'a: start -> fork',
    'b: fork -> own',
    'c: fork -> child',
    'd: fork -> grandchild',
    'e: own -> own',
    'f: child -> join',
    'g: grandchild -> join',
    'h: join -> end',
  ],
);
const between = processModel(
  'between',
  [
    startEvent('start'),
    `<bpmn:callActivity id="call">${extensions('<zeebe:calledElement processId="jobLoop" propagateAllChildVariables="false"/>')}</bpmn:callActivity>`,
    endEvent('end'),
  ],
  ['a: start -> call', 'b: call -> end'],
);
/** Has an incident until there is a fee, and works in the meantime. */
const repairable = processModel(
  'repairable',
  [
    startEvent('start'),
    parallelGateway('fork'),
    scriptTask('risky', '=fee + 1', 'total'),
    serviceTask('work'),
    scriptTask('count', '=done + 1', 'done'),
    exclusiveGateway('again'),
    exclusiveGateway('enough', { default: 'more' }),
    parallelGateway('join'),
    endEvent('end'),
  ],
  [
    'a: start -> fork',
    'b: fork -> risky',
    'c: fork -> again',
    'd: again -> work',
    'e: work -> count',
    'f: count -> enough',
    'more: enough -> again',
    'g: enough -> join =done >= rounds',
    'h: risky -> join',
    'i: join -> end',
  ],
);

/** Facts that may follow a cancel: elements end, none of them completes, and results under way are refused. */
const endsOnly = /_CANCELED$|^(SUBSCRIPTION_CLOSED|COMMAND_DEFERRED|COMMAND_HANDLED|INSTANCE_ROTATED|STATE_MEASURED)$/;

let server: RotatingServer;
let host: TemporalHost;
beforeAll(async () => {
  server = await startRotatingServer(15);
  host = await openTemporalHost({ temporal: server.address });
  for (const model of [jobLoop, between, family, repairable]) await host.deploy(model);
});
afterAll(async () => {
  await host.close();
  await server.stop();
});

/** Three workers take and complete jobs until `work` is done. */
async function whileWorking(work: () => Promise<void>): Promise<void> {
  let working = true;
  const workers = Array.from({ length: 3 }, async () => {
    while (working) {
      // Refused once the instance is canceled.
      for (const job of await jobsOfType(host, 'work')) await job.complete().catch(() => undefined);
    }
  });
  try {
    await work();
  } finally {
    working = false;
    await Promise.all(workers);
  }
}

async function tree(root: string): Promise<{ id: string; steps: number }[]> {
  const { rows } = await host.store.query<{ id: string; steps: number }>(
    'SELECT workflow_id AS id, step_count AS steps FROM instances WHERE root_workflow_id = $1',
    [root],
  );
  return rows;
}

async function factsSince(workflowID: string, step: number): Promise<Fact[]> {
  const { rows } = await host.store.query<{ facts: Fact[] }>(
    'SELECT facts FROM steps WHERE workflow_id = $1 AND number > $2 ORDER BY number',
    [workflowID, step],
  );
  return rows.flatMap(({ facts }) => facts);
}

test('after a cancel is acknowledged, elements of the instance and its descendants are only canceled', async () => {
  const roots = await Promise.all(Array.from({ length: 4 }, () => host.start('family', { rounds: 1000 })));
  await whileWorking(async () => {
    await Promise.all(
      roots.map(async (root, index) => {
        await eventually('all four to work', async () => {
          const members = await tree(root);
          return (members.length === 4 && members.filter(({ steps }) => steps > 2 + index).length >= 3) || undefined;
        });
        const canceled = await cancelInstance(host.store, {
          projectID: project,
          workflowID: root,
          actor: 'operator',
          awaited: true,
        });
        if (canceled.kind !== 'submitted') throw new Error(canceled.message);
        await host.instances.signal(root, canceled.command);
        expect(await host.outcome(root, canceled.command.number)).toMatchObject({ status: 'APPLIED' });
        for (const { id, steps } of await tree(root)) {
          expect(await host.ended(id)).toMatchObject({ status: 'CANCELED' });
          expect((await factsSince(id, steps)).filter(({ kind }) => !endsOnly.test(kind))).toEqual([]);
        }
        const { rows } = await host.store.query(
          "SELECT 1 FROM jobs JOIN instances USING (workflow_id) WHERE root_workflow_id = $1 AND jobs.status = 'PENDING'",
          [root],
        );
        expect(rows).toEqual([]);
      }),
    );
  });
}, 120_000);

test('of concurrent resolves of one incident one is applied, and its activity alone runs again, once', async () => {
  const ids = await Promise.all(Array.from({ length: 4 }, () => host.start('repairable', { rounds: 8, done: 0 })));
  await whileWorking(async () => {
    await Promise.all(
      ids.map(async (workflowID, index) => {
        const number = await eventually(
          'the incident',
          async () => Object.values((await host.state(workflowID)).incidents)[0]?.id,
        );
        await eventually(
          'work to continue',
          async () => (await factsSince(workflowID, index)).some(({ kind }) => kind === 'JOB_COMPLETED') || undefined,
        );
        const asked = await Promise.all(
          Array.from({ length: 4 }, (_, fee) =>
            resolveIncident(host.store, {
              projectID: project,
              workflowID,
              number,
              variables: { fee },
              actor: `operator-${fee}`,
              awaited: true,
            }),
          ),
        );
        const taken = asked.filter((answer) => answer.kind === 'submitted');
        expect(taken).toHaveLength(1);
        expect(asked.filter((answer) => answer.kind === 'refused' && answer.code === 'CONFLICT')).toHaveLength(3);
        await host.instances.signal(workflowID, taken[0]!.command);
        expect(await host.outcome(workflowID, taken[0]!.command.number)).toMatchObject({ status: 'APPLIED' });
        expect(await host.ended(workflowID)).toMatchObject({ status: 'COMPLETED' });
        expect(
          await resolveIncident(host.store, {
            projectID: project,
            workflowID,
            number,
            variables: {},
            actor: 'late',
            awaited: true,
          }),
        ).toMatchObject({ kind: 'refused' });

        const facts = await factsSince(workflowID, 0);
        const count = (kind: Fact['kind'], matches: (fact: Fact) => boolean = () => true) =>
          facts.filter((fact) => fact.kind === kind && matches(fact)).length;
        const isAtRisky = (fact: Fact) => 'node' in fact && fact.node === 'risky';
        expect({
          activated: count('ELEMENT_ACTIVATED', isAtRisky),
          raised: count('INCIDENT_RAISED'),
          resolved: count('INCIDENT_RESOLVED'),
          totals: count('VARIABLES_SET', (fact) => fact.kind === 'VARIABLES_SET' && 'total' in fact.variables),
          worked: count('JOB_COMPLETED'),
          rotated: count('INSTANCE_ROTATED') > 0,
        }).toEqual({ activated: 1, raised: 1, resolved: 1, totals: 1, worked: 8, rotated: true });
      }),
    );
  });
}, 120_000);
