/** Instances whose histories are worth keeping: each makes the workflow use something that a replay must repeat. */
import { decision, dmn, literal } from '../dmn/support.js';
import {
  adHocSubProcess,
  boundaryEvent,
  compensatedBy,
  endEvent,
  extensions,
  on,
  parallelGateway,
  processModel,
  scriptTask,
  serviceTask,
  startEvent,
  task,
  transaction,
  type Xml,
} from '@perdure/testkit/models';
import type { temporal } from '@temporalio/proto';
import { loadCommands } from '../../store/instances/commands.js';
import { resumeInstance, suspendInstance } from '../../store/suspension/suspension.js';
import { project, type TemporalHost } from '../temporal/support/temporal-host.js';
import { withEarlySignals } from '../temporal/support/early-signals.js';
import { jobLoop } from '../temporal/support/models.js';
import { eventually } from '../support/eventually.js';

export interface Scenario {
  name: string;
  /** For a timer, for seconds: others run in the meantime. */
  waits?: true;
  /** Runs instances to their end; the ids of those to keep come back. */
  run(host: TemporalHost): Promise<string[]>;
  /** The history to keep, where Temporal could have recorded another order of events. */
  reordered?(host: TemporalHost, id: string, history: History): Promise<History>;
}

type History = temporal.api.history.v1.IHistory;

const timer = (id: string, duration: string) =>
  `<bpmn:intermediateCatchEvent id="${id}"><bpmn:timerEventDefinition><bpmn:timeDuration>${duration}</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>`;
const boundaryTimer = (id: string, host: string, duration: string) =>
  `<bpmn:boundaryEvent id="${id}" attachedToRef="${host}"><bpmn:timerEventDefinition><bpmn:timeDuration>${duration}</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:boundaryEvent>`;

export const scenarios: readonly Scenario[] = [
  {
    name: 'straight-through',
    async run(host) {
      await host.deploy(
        processModel(
          'straight',
          [startEvent('start'), scriptTask('add', '=x + 1', 'x'), endEvent('end')],
          ['a: start -> add', 'b: add -> end'],
        ),
      );
      return [await host.start('straight', { x: 1 })];
    },
  },
  {
    name: 'graph-loaded-by-an-activity',
    async run(host) {
      const tasks = Array.from({ length: 60 }, (_, index) => scriptTask(`add${index}`, '=x + 1', 'x'));
      const flows = Array.from({ length: 59 }, (_, index) => `f${index}: add${index} -> add${index + 1}`);
      await host.deploy(
        processModel(
          'largeGraph',
          [startEvent('start'), tasks, endEvent('end')],
          ['a: start -> add0', flows, 'b: add59 -> end'],
        ),
      );
      return [await host.start('largeGraph', { x: 1 })];
    },
  },
  {
    name: 'jobs-in-parallel',
    async run(host) {
      await host.deploy(
        processModel(
          'parallel',
          [
            startEvent('start'),
            parallelGateway('fork'),
            serviceTask('left'),
            serviceTask('right'),
            parallelGateway('join'),
            endEvent('end'),
          ],
          [
            'a: start -> fork',
            'b: fork -> left',
            'c: fork -> right',
            'd: left -> join',
            'e: right -> join',
            'f: join -> end',
          ],
        ),
      );
      const id = await host.start('parallel');
      await host.completeJob(id, 'right', { right: 1 });
      await host.completeJob(id, 'left', { left: 'x'.repeat(100_000) });
      return [id];
    },
  },
  {
    name: 'timers-set-fired-and-canceled',
    async run(host) {
      await host.deploy(
        processModel(
          'timers',
          [
            startEvent('start'),
            timer('pause', 'PT1S'),
            serviceTask('slow'),
            boundaryTimer('tooLate', 'slow', 'PT1S'),
            serviceTask('quick'),
            boundaryTimer('never', 'quick', 'PT1H'),
            endEvent('end'),
            endEvent('neverEnd'),
          ],
          [
            'a: start -> pause',
            'b: pause -> slow',
            'c: tooLate -> quick',
            'd: quick -> end',
            'e: slow -> quick',
            'f: never -> neverEnd',
          ],
        ),
      );
      const id = await host.start('timers');
      await host.completeJob(id, 'quick');
      return [id];
    },
  },
  {
    name: 'decided-ad-hoc-left-by-a-timer',
    waits: true,
    async run(host) {
      const tools = [serviceTask('search'), serviceTask('mail')];
      await host.deploy(
        processModel(
          'decidedAdHoc',
          [
            startEvent('start'),
            adHocSubProcess('agent', tools, [], { job: 'agent', ordering: 'Sequential' }),
            boundaryTimer('tooLate', 'agent', 'PT5S'),
            endEvent('end'),
          ],
          ['a: start -> agent', 'b: agent -> end', 'c: tooLate -> end'],
        ),
      );
      const id = await host.start('decidedAdHoc');
      const activateElements = ['search', 'mail', 'search'].map((elementId) => ({ elementId }));
      await host.completeJob(id, 'agent', {}, { activateElements });
      await host.completeJob(id, 'search');
      await host.completeJob(id, 'agent', {}, { isCompletionConditionFulfilled: true });
      await host.completeJob(id, 'mail');
      return [id];
    },
  },
  {
    name: 'cycle-that-began-in-the-past',
    async run(host) {
      const cycle =
        '<bpmn:boundaryEvent id="daily" attachedToRef="work" cancelActivity="false"><bpmn:timerEventDefinition><bpmn:timeCycle>R/2025-01-01T09:00:00Z/P1D</bpmn:timeCycle></bpmn:timerEventDefinition></bpmn:boundaryEvent>';
      await host.deploy(
        processModel(
          'repeating',
          [
            startEvent('start'),
            serviceTask('work'),
            cycle,
            scriptTask('count', '=ticks + 1', 'ticks'),
            endEvent('end'),
          ],
          ['a: start -> work', 'b: daily -> count', 'c: work -> end'],
        ),
      );
      const id = await host.start('repeating', { ticks: 0 });
      await host.completeJob(id, 'work');
      return [id];
    },
  },
  {
    name: 'many-steps-without-a-wait',
    async run(host) {
      const loop = '<bpmn:exclusiveGateway id="again"/><bpmn:exclusiveGateway id="enough" default="more"/>';
      await host.deploy(
        processModel(
          'busy',
          [startEvent('start'), loop, scriptTask('add', '=x + 1', 'x'), serviceTask('last'), endEvent('end')],
          [
            'a: start -> again',
            'b: again -> add',
            'c: add -> enough',
            'done: enough -> last =x >= 2000',
            'more: enough -> again',
            'e: last -> end',
          ],
        ),
      );
      const id = await host.start('busy', { x: 0 });
      await host.completeJob(id, 'last');
      return [id];
    },
  },
  {
    name: 'incident-resolved',
    async run(host) {
      await host.deploy(
        processModel(
          'failing',
          [startEvent('start'), scriptTask('add', '=x + 1', 'x'), endEvent('end')],
          ['a: start -> add', 'b: add -> end'],
        ),
      );
      const id = await host.start('failing');
      const incident = await eventually('the incident', async () => Object.values((await host.state(id)).incidents)[0]);
      await host.command(id, { kind: 'RESOLVE_INCIDENT', incident: incident.id, variables: { x: 1 } });
      return [id];
    },
  },
  {
    name: 'called-and-calling',
    async run(host) {
      await host.deploy(
        processModel(
          'called',
          [startEvent('start'), serviceTask('inside'), endEvent('end')],
          ['a: start -> inside', 'b: inside -> end'],
        ),
      );
      const call = `<bpmn:callActivity id="call">${extensions('<zeebe:calledElement processId="called" propagateAllChildVariables="true"/>')}</bpmn:callActivity>`;
      await host.deploy(
        processModel('calling', [startEvent('start'), call, endEvent('end')], ['a: start -> call', 'b: call -> end']),
      );
      const id = await host.start('calling');
      const child = (await host.wait(id, 'child', 'call')) as { workflowID: string };
      await host.completeJob(child.workflowID, 'inside', { result: 1 });
      return [id, child.workflowID];
    },
  },
  {
    name: 'canceled-with-everything-open',
    async run(host) {
      await host.deploy(
        processModel(
          'open',
          [
            startEvent('start'),
            `<bpmn:subProcess id="around"><bpmn:startEvent id="in"/>${serviceTask('work')}<bpmn:sequenceFlow id="i" sourceRef="in" targetRef="work"/></bpmn:subProcess>`,
            boundaryTimer('late', 'around', 'PT1H'),
            endEvent('end'),
          ],
          ['a: start -> around', 'b: around -> end', 'c: late -> end'],
        ),
      );
      const id = await host.start('open');
      await host.wait(id, 'job', 'work');
      await host.command(id, { kind: 'CANCEL_INSTANCE' });
      return [id];
    },
  },
  {
    name: 'decisions',
    async run(host) {
      await host.deployDecisions(
        dmn(decision('doubled', literal('amount * 2')) + decision('failing', literal('amount / 0'))),
      );
      const rule = (id: string, decisionID: string) =>
        `<bpmn:businessRuleTask id="${id}">${extensions(`<zeebe:calledDecision decisionId="${decisionID}" resultVariable="${id}"/>`)}</bpmn:businessRuleTask>`;
      await host.deploy(
        processModel(
          'decisions',
          [
            startEvent('start'),
            parallelGateway('fork'),
            rule('left', 'doubled'),
            rule('right', 'doubled'),
            parallelGateway('join'),
            rule('wrong', 'failing'),
            '<bpmn:boundaryEvent id="caught" attachedToRef="wrong"><bpmn:errorEventDefinition/></bpmn:boundaryEvent>',
            serviceTask('work'),
            endEvent('end'),
          ],
          [
            'a: start -> fork',
            'b: fork -> left',
            'c: fork -> right',
            'd: left -> join',
            'e: right -> join',
            'f: join -> wrong',
            'g: wrong -> work',
            'h: caught -> work',
            'i: work -> end',
          ],
        ),
      );
      const id = await host.start('decisions', { amount: 21 });
      await host.completeJob(id, 'work');
      return [id];
    },
  },
  {
    name: 'modified',
    async run(host) {
      await host.deploy(
        processModel(
          'modified',
          [
            startEvent('start'),
            serviceTask('stuck'),
            `<bpmn:subProcess id="around"><bpmn:startEvent id="in"/>${serviceTask('skipped')}${serviceTask('work')}<bpmn:sequenceFlow id="i" sourceRef="in" targetRef="skipped"/><bpmn:sequenceFlow id="j" sourceRef="skipped" targetRef="work"/></bpmn:subProcess>`,
            boundaryTimer('late', 'around', 'PT1H'),
            endEvent('end'),
          ],
          ['a: start -> stuck', 'b: stuck -> around', 'c: around -> end', 'd: late -> end'],
        ),
      );
      const id = await host.start('modified');
      await host.wait(id, 'job', 'stuck');
      await host.command(id, {
        kind: 'MODIFY',
        instructions: [
          { type: 'CANCEL_TOKEN', nodeID: 'stuck' },
          { type: 'START_BEFORE_NODE', nodeID: 'work' },
        ],
      });
      await host.completeJob(id, 'work');
      return [id];
    },
  },
  {
    name: 'migrated',
    async run(host) {
      const version = (task: string) =>
        processModel(
          'migrated',
          [startEvent('start'), serviceTask(task), serviceTask('after'), endEvent('end')],
          [`a: start -> ${task}`, `b: ${task} -> after`, 'c: after -> end'],
        );
      await host.deploy(version('before'));
      const id = await host.start('migrated');
      await host.wait(id, 'job', 'before');
      await host.deploy(version('renamed'));
      await host.migrate(id, 'migrated', [{ source: 'before', target: 'renamed' }]);
      await host.completeJob(id, 'renamed');
      await host.completeJob(id, 'after');
      return [id];
    },
  },
  {
    name: 'migrated-while-a-transaction-is-compensated',
    async run(host) {
      const version = (late: Xml) =>
        processModel(
          'canceledTransaction',
          [
            startEvent('start'),
            transaction(
              'tx',
              [
                startEvent('begin'),
                task('book'),
                compensatedBy('book', 'unbook'),
                serviceTask('unbook', { isForCompensation: true }),
                endEvent('cancel', on.cancel),
              ],
              ['a: begin -> book', 'b: book -> cancel'],
            ),
            late,
            endEvent('end'),
          ],
          ['c: start -> tx', 'd: tx -> end'],
        );
      await host.deploy(version(''));
      const id = await host.start('canceledTransaction');
      await host.wait(id, 'job', 'unbook');
      await host.deploy(version(boundaryEvent('late', 'tx', on.timer('PT1H'))));
      await host.migrate(id, 'canceledTransaction', []);
      await host.completeJob(id, 'unbook');
      return [id];
    },
  },
  {
    name: 'suspended-and-resumed',
    async run(host) {
      await host.deploy(
        processModel(
          'suspended',
          [startEvent('start'), serviceTask('work'), timer('pause', 'PT1S'), endEvent('end')],
          ['a: start -> work', 'b: work -> pause', 'c: pause -> end'],
        ),
      );
      const id = await host.start('suspended');
      const job = await host.wait(id, 'job', 'work');
      const who = { projectID: project, workflowID: id, actor: 'operator' };
      await suspendInstance(host.store, who);
      const { command, delivery } = await host.submit(id, { kind: 'COMPLETE_JOB', execution: job.id });
      await host.deliver(id, command, delivery);
      await eventually(
        'the completion to be kept',
        async () => (await host.state(id)).deferred?.some((kept) => kept.number === command.number) || undefined,
      );
      await resumeInstance(host.store, who);
      return [id];
    },
  },
];

/** Needs a server that suggests new runs early. */
export const rotation: Scenario = {
  name: 'second-run-after-a-rotation',
  async run(host) {
    await host.deploy(jobLoop);
    const id = await host.start('jobLoop', { rounds: 6 });
    for (let round = 0; round < 6; round += 1) await host.completeJob(id, 'work');
    return [id];
  },
};

/** On a worker whose commits wait for the next result. */
export const hotScenarios: readonly Scenario[] = [
  {
    name: 'results-handed-over',
    async run(host) {
      const inner = [
        serviceTask('first'),
        boundaryTimer('never', 'first', 'PT1H'),
        serviceTask('large'),
        timer('shortly', 'PT0.2S'),
        serviceTask('last'),
      ];
      await host.deploy(
        processModel(
          'hot',
          [startEvent('start'), inner, endEvent('end'), endEvent('neverEnd')],
          [
            'a: start -> first',
            'b: first -> large',
            'c: large -> shortly',
            'd: shortly -> last',
            'e: last -> end',
            'f: never -> neverEnd',
          ],
        ),
      );
      const id = await host.start('hot');
      await host.completeJob(id, 'first');
      await host.completeJob(id, 'large', { load: 'x'.repeat(100_000) });
      await host.wait(id, 'job', 'last');
      await host.command(id, { kind: 'SET_VARIABLES', variables: { signaled: true } });
      await host.completeJob(id, 'last');
      return [id];
    },
  },
  {
    // Temporal replaces a workflow task while its worker works on it: the signals precede the task that handles them.
    name: 'signals-before-the-steps-that-handle-them',
    async run(host) {
      const jobs = ['one', 'two', 'three'];
      await host.deploy(
        processModel(
          'early',
          [startEvent('start'), jobs.map((name) => serviceTask(name)), endEvent('end')],
          ['a: start -> one', 'b: one -> two', 'c: two -> three', 'd: three -> end'],
        ),
      );
      const id = await host.start('early');
      for (const job of jobs) await host.completeJob(id, job);
      return [id];
    },
    reordered: async (host, id, history) => withEarlySignals(history, await loadCommands(host.store, id, [1, 2, 3])),
  },
];
