/** Ad-hoc sub-processes that a job worker drives: models as agents use them. */
import { describe, expect, it } from 'vitest';
import type { JobResult } from '@perdure/engine/contract/commands.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { redactCommand } from '@perdure/engine/redaction/commands.js';
import {
  adHocSubProcess,
  boundaryEvent,
  compensatedBy,
  element,
  endEvent,
  eventSubProcess,
  extensions,
  multiInstance,
  on,
  parallelGateway,
  root,
  scriptTask,
  serviceTask,
  startEvent,
  task,
  throwEvent,
  type AdHocOptions,
  type Xml,
} from '@perdure/testkit/models';
import { MemoryHost, type MemoryInstance } from '../../../packages/testkit/memory-host.js';
import { simpleModel } from '../../support/models.js';

const tools: Xml = [serviceTask('search'), serviceTask('mail'), serviceTask('sum')];

function model(inside: Xml = tools, flows: Xml = [], options: AdHocOptions = {}) {
  return simpleModel(
    [adHocSubProcess('agent', inside, flows, { job: 'agent', ...options }), serviceTask('after'), endEvent('e')],
    ['f1: s -> agent', 'f2: agent -> after', 'f3: after -> e'],
  );
}

const activate = (...ids: (string | [string, Variables])[]): JobResult => ({
  activateElements: ids.map((id) =>
    typeof id === 'string' ? { elementId: id } : { elementId: id[0], variables: id[1] },
  ),
});
const DONE: JobResult = { isCompletionConditionFulfilled: true };

async function started(xml = model(), variables: Variables = {}, start: { flags?: string[] } = {}) {
  const host = await MemoryHost.deploy(xml);
  const instance = host.start('p', variables, start);
  const decide = (result?: JobResult, own?: Variables) => host.completeJob(instance, 'agent', own, result);
  return { host, instance, decide };
}

const jobsOf = (host: MemoryHost, instance: MemoryInstance) =>
  host.facts(instance).flatMap((fact) => (fact.kind === 'JOB_CREATED' && fact.node === 'agent' ? [fact] : []));

describe('an ad-hoc sub-process that a job worker drives', () => {
  it('asks its worker when it is entered and begins nothing by itself', async () => {
    const { host, instance } = await started();
    expect(host.waiting(instance)).toEqual(['job agent']);
  });

  it('ends when the worker says so at once', async () => {
    const { host, instance, decide } = await started();
    decide(DONE);
    expect(host.waiting(instance)).toEqual(['job after']);
  });

  it('runs one tool after the other, and asks after each', async () => {
    const { host, instance, decide } = await started();
    decide(activate('search'));
    expect(host.waiting(instance)).toEqual(['job search']);
    host.completeJob(instance, 'search');
    expect(host.waiting(instance)).toEqual(['job agent']);
    decide(activate('mail'));
    host.completeJob(instance, 'mail');
    decide(DONE);
    expect(host.waiting(instance)).toEqual(['job after']);
  });

  it('replaces the open job when another tool ends, so that at most one is open', async () => {
    const { host, instance, decide } = await started();
    decide(activate('search', 'mail'));
    host.completeJob(instance, 'search');
    const first = host.wait(instance, 'job', 'agent').id;
    host.completeJob(instance, 'mail');
    expect(host.waiting(instance)).toEqual(['job agent']);
    expect(host.facts(instance)).toContainEqual(expect.objectContaining({ kind: 'JOB_CANCELED', job: first }));
    expect(host.command(instance, { kind: 'COMPLETE_JOB', execution: first, result: DONE })).toMatchObject({
      status: 'REJECTED',
      code: 'CONFLICT',
    });
  });

  it('makes one job of everything that ends together', async () => {
    const inside = ['a', 'b', 'c'].map((id) => scriptTask(id, '=1', `of_${id}`));
    const { host, instance, decide } = await started(model(inside));
    decide(activate('a', 'b', 'c'));
    expect(jobsOf(host, instance)).toHaveLength(2);
  });

  it('begins the same tool several times at once, each with its own variables', async () => {
    const { host, instance, decide } = await started();
    decide(activate(['search', { query: 'x' }], ['search', { query: 'y' }]));
    const seen = host
      .facts(instance)
      .flatMap((fact) =>
        fact.kind === 'JOB_CREATED' && fact.node === 'search' ? [fact.localVariables?.['query']] : [],
      );
    expect(seen).toEqual(['x', 'y']);
    expect(host.variables(instance)).toEqual({});
  });

  it('keeps the variables of the decision in the sub-process, where the tools see them', async () => {
    const { host, instance, decide } = await started();
    decide(activate('search'), { memory: ['hello'] });
    const [created] = host
      .facts(instance)
      .flatMap((fact) => (fact.kind === 'JOB_CREATED' && fact.node === 'search' ? [fact] : []));
    expect(created!.localVariables).toMatchObject({ memory: ['hello'] });
    expect(host.variables(instance)).toEqual({});
  });

  it('follows the sequence flows of a tool and asks only when the last of them has ended', async () => {
    const { host, instance, decide } = await started(model(tools, 'i1: search -> mail'));
    decide(activate(['search', { toolCall: { to: 'ann' } }]));
    host.completeJob(instance, 'search');
    expect(host.waiting(instance)).toEqual(['job mail']);
    host.completeJob(instance, 'mail');
    expect(host.waiting(instance)).toEqual(['job agent']);
  });

  it('joins only what belongs to one activation', async () => {
    const inside = [
      task('go'),
      parallelGateway('fork'),
      serviceTask('left'),
      serviceTask('right'),
      parallelGateway('join'),
      serviceTask('last'),
    ];
    const flows = [
      'g1: go -> fork',
      'g2: fork -> left',
      'g3: fork -> right',
      'g4: left -> join',
      'g5: right -> join',
      'g6: join -> last',
    ];
    const { host, instance, decide } = await started(model(inside, flows));
    decide(activate('go', 'go'));
    host.completeJob(instance, 'left');
    const right = Object.values(instance.state.waits)
      .filter(({ node }) => node === 'right')
      .at(-1)!;
    host.command(instance, { kind: 'COMPLETE_JOB', execution: right.id });
    expect(host.waiting(instance).toSorted()).toEqual(['job left', 'job right']);
  });

  it('collects one output of each tool in the order in which they end, and hands it on at its end', async () => {
    const options = { output: { collection: 'results', element: '={id: tool, found: result}' } };
    const inside = ['x', 'y'].map((id) => scriptTask(id, `="${id}!"`, 'result', {}));
    const { host, instance, decide } = await started(model(inside, [], options));
    decide(activate(['x', { tool: 1, result: null }]));
    decide(activate(['y', { tool: 2, result: null }], ['x', { tool: 3, result: null }]));
    expect(jobsOf(host, instance).at(-1)!.localVariables).toMatchObject({
      results: [
        { id: 1, found: 'x!' },
        { id: 2, found: 'y!' },
        { id: 3, found: 'x!' },
      ],
    });
    decide(DONE);
    expect(host.variables(instance)).toEqual({
      results: [
        { id: 1, found: 'x!' },
        { id: 2, found: 'y!' },
        { id: 3, found: 'x!' },
      ],
    });
  });

  it('hands on an empty collection if no tool ran', async () => {
    const { host, instance, decide } = await started(
      model(tools, [], { output: { collection: 'results', element: '=1' } }),
    );
    decide(DONE);
    expect(host.variables(instance)).toEqual({ results: [] });
  });

  it('cancels the rest when the worker says that it is done and cancels', async () => {
    const { host, instance, decide } = await started();
    decide(activate('search', 'mail'));
    host.completeJob(instance, 'search');
    decide({ ...DONE, isCancelRemainingInstances: true });
    expect(host.waiting(instance)).toEqual(['job after']);
  });

  it('waits for the rest, without another job, when the worker is done and does not cancel', async () => {
    const { host, instance, decide } = await started();
    decide(activate('search', 'mail', 'sum'));
    host.completeJob(instance, 'search');
    decide(DONE);
    host.completeJob(instance, 'mail');
    expect(host.waiting(instance)).toEqual(['job sum']);
    expect(host.command(instance, { kind: 'TRIGGER_AD_HOC', node: 'agent', nodeID: 'mail' })).toMatchObject({
      code: 'CONFLICT',
    });
    host.completeJob(instance, 'sum');
    expect(host.waiting(instance)).toEqual(['job after']);
  });

  it('cancels what is active and begins something else', async () => {
    const { host, instance, decide } = await started();
    decide(activate('search', 'mail'));
    host.completeJob(instance, 'search');
    decide({ ...activate('sum'), isCancelRemainingInstances: true });
    expect(host.waiting(instance)).toEqual(['job sum']);
  });

  it('continues without a new tool as long as something is active', async () => {
    const { host, instance, decide } = await started();
    decide(activate('search', 'mail'));
    host.completeJob(instance, 'search');
    expect(decide().status).toBe('APPLIED');
    expect(host.waiting(instance)).toEqual(['job mail']);
  });

  it.each<[string, JobResult | undefined]>([
    ['an element outside', activate('after')],
    ['an element that a sequence flow leads to', activate('mail')],
    ['an unknown element', activate('search', 'nope')],
    ['itself', activate('agent')],
    ['the scope of an activation', activate('agent#innerInstance')],
    ['a tool although it is done', { ...activate('search'), ...DONE }],
    ['nothing at all', {}],
    ['nothing, without a result', undefined],
    ['nothing, and cancels the rest', { isCancelRemainingInstances: true }],
  ])('refuses a worker that activates %s, and changes nothing', async (_what, result) => {
    const { host, instance, decide } = await started(model(tools, 'i1: search -> mail'));
    const before = structuredClone({ ...instance.state, lastCommand: 0 });
    expect(decide(result, { a: 1 })).toMatchObject({ status: 'REJECTED', code: 'BAD_REQUEST' });
    expect({ ...instance.state, lastCommand: 0, size: before.size }).toEqual(before);
    expect(host.waiting(instance)).toEqual(['job agent']);
  });

  it('refuses a decision for any other job', async () => {
    const { host, instance, decide } = await started();
    decide(activate('search'));
    expect(host.completeJob(instance, 'search', {}, DONE)).toMatchObject({ status: 'REJECTED', code: 'BAD_REQUEST' });
    expect(host.waiting(instance)).toEqual(['job search']);
  });

  it('describes its tools to the worker, with their parameters', async () => {
    const described = element('serviceTask', { id: 'search', name: 'Search' }, [
      element('documentation', {}, 'Looks things up.'),
      extensions([
        '<zeebe:taskDefinition type="search"/>',
        '<zeebe:properties><zeebe:property name="cost" value="2"/></zeebe:properties>',
        `<zeebe:ioMapping><zeebe:input source="=fromAi(toolCall.query, &quot;The words to find&quot;, &quot;string&quot;, {minLength: 1}, {required: false})" target="query"/>
         <zeebe:input source="=&quot;https://x/&quot; + fromAi(value: toolCall.page, description: null)" target="url"/></zeebe:ioMapping>`,
      ]),
    ]);
    const { host, instance } = await started(
      model([described, serviceTask('mail')], 'i1: search -> mail', { job: 'agent' }),
      { goal: 'x' },
    );
    expect(jobsOf(host, instance)[0]!.localVariables).toEqual({
      adHocSubProcessElements: [
        {
          elementId: 'search',
          elementName: 'Search',
          documentation: 'Looks things up.',
          properties: { cost: '2' },
          parameters: [
            {
              name: 'query',
              description: 'The words to find',
              type: 'string',
              schema: { minLength: 1 },
              options: { required: false },
            },
            { name: 'page' },
          ],
        },
      ],
    });
  });
});

describe('a driven ad-hoc sub-process in trouble', () => {
  it('waits at an incident when its worker fails, and asks again when that is resolved', async () => {
    const { host, instance, decide } = await started();
    decide(activate('search', 'mail'));
    host.completeJob(instance, 'search');
    host.throwJobError(instance, 'agent', 'OUT_OF_TOKENS');
    expect(host.incidents(instance)).toMatchObject([{ node: 'agent', errorType: 'BpmnError' }]);
    host.completeJob(instance, 'mail');
    expect(host.waiting(instance)).toEqual([]);
    host.resolve(instance, 'agent');
    expect(host.waiting(instance)).toEqual(['job agent']);
    decide(DONE);
    expect(host.waiting(instance)).toEqual(['job after']);
  });

  it('listens for its event sub-processes again after an incident', async () => {
    const inside = [
      tools,
      eventSubProcess('watch', [startEvent('w', on.timer('PT1H')), endEvent('we')], 'w1: w -> we'),
    ];
    const { host, instance } = await started(model(inside));
    host.throwJobError(instance, 'agent', 'X');
    host.resolve(instance, 'agent');
    expect(host.waiting(instance).toSorted()).toEqual(['job agent', 'timer w']);
    host.advance(3_600_000);
    expect(host.waiting(instance)).toEqual(['job after']);
  });

  it('is left through its error boundary event when its worker throws what that catches', async () => {
    const elements = [
      adHocSubProcess('agent', tools, [], { job: 'agent' }),
      boundaryEvent('caught', 'agent', on.error('GIVE_UP')),
      endEvent('e'),
    ];
    const flows = ['f1: s -> agent', 'f2: agent -> e', 'f3: caught -> e'];
    const { host, instance, decide } = await started(simpleModel(elements, flows, root.error('GIVE_UP')));
    decide(activate('search'));
    host.completeJob(instance, 'search');
    host.throwJobError(instance, 'agent', 'GIVE_UP');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('ends with everything inside when an interrupting event sub-process has run, without asking', async () => {
    const inside = [
      tools,
      eventSubProcess(
        'stop',
        [startEvent('st', on.timer('PT1H')), serviceTask('report'), endEvent('se')],
        ['w1: st -> report', 'w2: report -> se'],
      ),
    ];
    const { host, instance, decide } = await started(model(inside));
    decide(activate('search', 'mail'));
    host.completeJob(instance, 'search');
    host.advance(3_600_000);
    expect(host.waiting(instance)).toEqual(['job report']);
    host.completeJob(instance, 'report');
    expect(host.waiting(instance)).toEqual(['job after']);
  });

  it('keeps an ended tool at an incident of its output element, and collects that once it is resolved', async () => {
    const { host, instance, decide } = await started(
      model(tools, [], { output: { collection: 'r', element: '=number(text)' } }),
    );
    decide(activate(['search', { text: 'none' }]));
    host.completeJob(instance, 'search');
    expect(host.incidents(instance)).toMatchObject([{ node: 'agent#innerInstance', errorType: 'FeelError' }]);
    host.resolve(instance, 'agent#innerInstance', { text: '7' });
    expect(host.waiting(instance)).toEqual(['job agent']);
    decide(DONE);
    expect(host.variables(instance)).toEqual({ r: [7] });
  });

  it('takes no decision that does not fit into the instance: an incident, then a new job', async () => {
    const { host, instance, decide } = await started();
    decide(activate(['search', { big: 'x'.repeat(1024 * 1024) }]));
    expect(host.incidents(instance)).toMatchObject([{ node: 'agent', errorType: 'SnapshotSizeExceeded' }]);
    host.resolve(instance, 'agent');
    expect(host.waiting(instance)).toEqual(['job agent']);
  });

  it('undoes its tools in reverse order when it is compensated', async () => {
    const inside = [
      scriptTask('book', '=1', 'x'),
      '<bpmn:serviceTask id="unbook" isForCompensation="true"><bpmn:extensionElements><zeebe:taskDefinition type="unbook"/></bpmn:extensionElements></bpmn:serviceTask>',
      compensatedBy('book', 'unbook'),
    ];
    const host = await MemoryHost.deploy(
      simpleModel(
        [adHocSubProcess('agent', inside, [], { job: 'agent' }), throwEvent('undo', on.compensation()), endEvent('e')],
        ['f1: s -> agent', 'f2: agent -> undo', 'f3: undo -> e'],
      ),
    );
    const instance = host.start('p');
    host.completeJob(instance, 'agent', {}, activate('book', 'book'));
    host.completeJob(instance, 'agent', {}, DONE);
    expect(host.waiting(instance)).toEqual(['job unbook']);
    host.completeJob(instance, 'unbook');
    host.completeJob(instance, 'unbook');
    expect(instance.state.status).toBe('COMPLETED');
  });
});

describe('operators and a driven ad-hoc sub-process', () => {
  it('begin a tool by hand, after which the worker is asked', async () => {
    const { host, instance } = await started();
    host.command(instance, { kind: 'TRIGGER_AD_HOC', node: 'agent', nodeID: 'mail' });
    expect(host.waiting(instance)).toEqual(['job agent', 'job mail']);
    host.completeJob(instance, 'mail');
    expect(host.waiting(instance)).toEqual(['job agent']);
    expect(jobsOf(host, instance)).toHaveLength(2);
  });

  it('set its variables without asking the worker', async () => {
    const { host, instance } = await started();
    host.command(instance, { kind: 'SET_AD_HOC_VARIABLES', node: 'agent', variables: { hint: 1 } });
    expect(jobsOf(host, instance)).toHaveLength(1);
  });

  it('cancel a tool, after which the worker is asked', async () => {
    const { host, instance, decide } = await started();
    decide(activate('search', 'mail'));
    const out = host.command(instance, { kind: 'MODIFY', instructions: [{ type: 'CANCEL_TOKEN', nodeID: 'search' }] });
    expect(out.status).toBe('APPLIED');
    expect(host.waiting(instance)).toEqual(['job mail', 'job agent']);
  });

  it('move a token to another tool', async () => {
    const { host, instance, decide } = await started();
    decide(activate('search'));
    host.command(instance, {
      kind: 'MODIFY',
      instructions: [
        { type: 'START_BEFORE_NODE', nodeID: 'mail' },
        { type: 'CANCEL_TOKEN', nodeID: 'search' },
      ],
    });
    expect(host.waiting(instance).toSorted()).toEqual(['job agent', 'job mail']);
  });

  it('start it in the middle, and its worker is asked once the tool has ended', async () => {
    const { host, instance, decide } = await started();
    decide(DONE);
    host.command(instance, {
      kind: 'MODIFY',
      instructions: [
        { type: 'START_BEFORE_NODE', nodeID: 'sum' },
        { type: 'CANCEL_TOKEN', nodeID: 'after' },
      ],
    });
    expect(host.waiting(instance)).toEqual(['job sum']);
    host.completeJob(instance, 'sum');
    expect(host.waiting(instance)).toEqual(['job agent']);
  });

  it('pause it: a decision moves nothing before the instance is resumed', async () => {
    const { host, instance } = await started();
    const { id } = host.wait(instance, 'job', 'agent');
    host.suspend(instance);
    expect(host.send(instance, { kind: 'COMPLETE_JOB', execution: id, result: activate('search') })).toBeUndefined();
    expect(host.waiting(instance)).toEqual(['job agent']);
    host.resume(instance);
    expect(host.waiting(instance)).toEqual(['job search']);
  });

  it('migrate it to a version in which it has another id, with everything that runs inside', async () => {
    const { host, instance, decide } = await started();
    decide(activate('search', 'mail'));
    host.completeJob(instance, 'search');
    await host.deploy(model().replaceAll('"agent"', '"helper"'));
    expect(host.migrate(instance, { agent: 'helper' }).status).toBe('APPLIED');
    host.completeJob(instance, 'mail');
    host.completeJob(instance, 'helper', {}, activate('sum'));
    expect(host.waiting(instance)).toEqual(['job sum']);
  });

  it('cannot migrate it to a version in which the model decides, or back', async () => {
    const byModel = simpleModel(
      [adHocSubProcess('agent', tools, [], { until: '=false' }), serviceTask('after'), endEvent('e')],
      ['f1: s -> agent', 'f2: agent -> after', 'f3: after -> e'],
    );
    const { host, instance } = await started();
    await host.deploy(byModel);
    expect(host.migrate(instance)).toMatchObject({ status: 'REJECTED', code: 'BAD_REQUEST' });
    const idle = host.start('p');
    await host.deploy(model());
    expect(host.migrate(idle)).toMatchObject({ status: 'REJECTED', code: 'BAD_REQUEST' });
  });

  it('redact the variables of a decision', () => {
    const body = {
      kind: 'COMPLETE_JOB' as const,
      execution: 4,
      result: activate(['search', { iban: 'DE1', other: 1 }]),
    };
    expect(JSON.stringify(redactCommand(body, new Set(['iban']) as never))).not.toContain('DE1');
  });
});

describe('a sequential ad-hoc sub-process that a job worker drives', () => {
  it('runs one activation at a time, and asks after each', async () => {
    const { host, instance, decide } = await started(model(tools, [], { ordering: 'Sequential' }));
    decide(activate('search', 'mail'));
    expect(host.waiting(instance)).toEqual(['job search']);
    host.completeJob(instance, 'search');
    expect(host.waiting(instance).toSorted()).toEqual(['job agent', 'job mail']);
    host.completeJob(instance, 'mail');
    decide(DONE);
    expect(host.waiting(instance)).toEqual(['job after']);
  });

  it('still runs what waits for its turn when its worker has said that it is done', async () => {
    const { host, instance, decide } = await started(model(tools, [], { ordering: 'Sequential' }));
    decide(activate('search', 'mail', 'search'));
    host.completeJob(instance, 'search');
    decide(DONE);
    expect(host.waiting(instance)).toEqual(['job mail']);
    host.completeJob(instance, 'mail');
    expect(host.waiting(instance)).toEqual(['job search']);
    host.completeJob(instance, 'search');
    expect(host.waiting(instance)).toEqual(['job after']);
  });

  it('begins no more once its worker has said that it is done, in an instance that started without the flag', async () => {
    const { host, instance, decide } = await started(model(tools, [], { ordering: 'Sequential' }), {}, { flags: [] });
    decide(activate('search', 'mail', 'search'));
    host.completeJob(instance, 'search');
    decide(DONE);
    host.completeJob(instance, 'mail');
    expect(host.waiting(instance)).toEqual([]);
    expect(host.send(instance, { kind: 'CANCEL_INSTANCE' })).toMatchObject({ status: 'APPLIED' });
  });
});

describe('a multi-instance ad-hoc sub-process that a job worker drives', () => {
  it('has a worker for each item, and collects what each of them collected', async () => {
    const loop = multiInstance('=[1, 2]', { output: '=found', into: 'all' });
    const options = { loop, output: { collection: 'found', element: '=item * 10' } };
    const { host, instance } = await started(model([scriptTask('calc', '=1', 'x')], [], options));
    expect(host.waiting(instance)).toEqual(['job agent', 'job agent']);
    for (const result of [activate('calc'), activate('calc'), DONE, DONE])
      host.completeJob(instance, 'agent', {}, result);
    expect(host.variables(instance)).toMatchObject({ all: [[10], [20]] });
  });
});
