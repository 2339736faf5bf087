import { describe, expect, it } from 'vitest';
import { MemoryHost } from '../../../packages/testkit/memory-host.js';
import { endEvent, extensions, processModel, scriptTask, serviceTask, startEvent } from '@perdure/testkit/models';

const errorAtTask = (boundary: string, flows = '') =>
  processModel(
    'p',
    [
      startEvent('start'),
      serviceTask('work'),
      `<bpmn:boundaryEvent id="caught" attachedToRef="work">${boundary}</bpmn:boundaryEvent>`,
      endEvent('done'),
      endEvent('handled'),
    ],
    ['a: start -> work', 'b: work -> done', 'c: caught -> handled', flows],
    '<bpmn:error id="e1" errorCode="OUT_OF_STOCK"/>',
  );

describe('a script task', () => {
  it('gives its result to the process', async () => {
    const host = await MemoryHost.deploy(
      processModel('p', [startEvent('s'), scriptTask('t', '=x + 1', 'x'), endEvent('e')], ['a: s -> t', 'b: t -> e']),
    );
    const instance = host.start('p', { x: 1 });
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.variables(instance)).toEqual({ x: 2 });
  });

  it('waits at an incident when its expression fails, and runs again with the variables given to the resolution', async () => {
    const host = await MemoryHost.deploy(
      processModel('p', [startEvent('s'), scriptTask('t', '=10 / x', 'y'), endEvent('e')], ['a: s -> t', 'b: t -> e']),
    );
    const instance = host.start('p', { x: 0 });
    expect(host.incidents(instance)).toMatchObject([
      { node: 't', errorType: 'FeelError', errorCode: 'DIVISION_BY_ZERO' },
    ]);
    expect(host.resolve(instance, 't', { x: 5 }).status).toBe('APPLIED');
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.variables(instance)).toEqual({ x: 0, y: 2 });
  });

  it('links the incident of a failed retry to the one it follows', async () => {
    const host = await MemoryHost.deploy(
      processModel('p', [startEvent('s'), scriptTask('t', '=missing', 'y'), endEvent('e')], ['a: s -> t', 'b: t -> e']),
    );
    const instance = host.start('p');
    const [first] = host.incidents(instance);
    host.resolve(instance, 't');
    expect(host.incidents(instance)).toMatchObject([{ node: 't', previous: first!.id }]);
  });
});

describe('a service task', () => {
  it('creates a job and continues with what the worker returns', async () => {
    const host = await MemoryHost.deploy(
      processModel('p', [startEvent('s'), serviceTask('ship'), endEvent('e')], ['a: s -> ship', 'b: ship -> e']),
    );
    const instance = host.start('p');
    expect(host.facts(instance)).toContainEqual(
      expect.objectContaining({ kind: 'JOB_CREATED', taskType: 'ship', retries: 3 }),
    );
    host.completeJob(instance, 'ship', { tracking: 'T1' });
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.variables(instance)).toEqual({ tracking: 'T1' });
  });

  it.each([
    ['a job type', serviceTask('ship', { type: '=long' })],
    [
      'a candidate group',
      `<bpmn:userTask id="ship">${extensions('<zeebe:assignmentDefinition candidateGroups="=[&quot;packers&quot;, long]"/>')}</bpmn:userTask>`,
    ],
    [
      'an assignee',
      `<bpmn:userTask id="ship">${extensions('<zeebe:assignmentDefinition assignee="=long"/>')}</bpmn:userTask>`,
    ],
  ])('and a user task wait at an incident when %s is too long to look for', async (_what, task) => {
    const host = await MemoryHost.deploy(
      processModel('p', [startEvent('s'), task, endEvent('e')], ['a: s -> ship', 'b: ship -> e']),
    );
    const instance = host.start('p', { long: 'x'.repeat(256) });
    expect(host.incidents(instance)).toMatchObject([
      { node: 'ship', errorType: 'FeelError', errorCode: 'TEXT_TOO_LONG' },
    ]);
    host.resolve(instance, 'ship', { long: 'x'.repeat(255) });
    expect(host.waiting(instance)).toHaveLength(1);
  });

  it('evaluates input mappings once and hands their results to the job', async () => {
    const mapping =
      '<zeebe:ioMapping><zeebe:input source="=order.total * 2" target="amount"/><zeebe:output source="=receipt" target="payment.receipt"/></zeebe:ioMapping>';
    const host = await MemoryHost.deploy(
      processModel(
        'p',
        [startEvent('s'), serviceTask('pay', { extensions: mapping }), endEvent('e')],
        ['a: s -> pay', 'b: pay -> e'],
      ),
    );
    const instance = host.start('p', { order: { total: 21 } });
    expect(host.facts(instance)).toContainEqual(
      expect.objectContaining({ kind: 'JOB_CREATED', localVariables: { amount: 42 } }),
    );
    host.completeJob(instance, 'pay', { receipt: 'R1', internal: true });
    expect(host.variables(instance)).toEqual({ order: { total: 21 }, payment: { receipt: 'R1' } });
  });

  it('rejects the completion of a job that is done already', async () => {
    const host = await MemoryHost.deploy(
      processModel(
        'p',
        [startEvent('s'), serviceTask('one'), serviceTask('two'), endEvent('e')],
        ['a: s -> one', 'b: one -> two', 'c: two -> e'],
      ),
    );
    const instance = host.start('p');
    const { id } = host.wait(instance, 'job', 'one');
    host.completeJob(instance, 'one');
    expect(host.command(instance, { kind: 'COMPLETE_JOB', execution: id })).toMatchObject({
      status: 'REJECTED',
      code: 'CONFLICT',
    });
  });

  it('leaves through the error boundary event of the code the worker threw', async () => {
    const host = await MemoryHost.deploy(errorAtTask('<bpmn:errorEventDefinition errorRef="e1"/>'));
    const instance = host.start('p');
    host.throwJobError(instance, 'work', 'OUT_OF_STOCK', { missing: 2 });
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.completed(instance)).toEqual(['start', 'caught', 'handled', 'p']);
    expect(host.facts(instance).some((fact) => fact.kind === 'ELEMENT_FAILED')).toBe(true);
    expect(host.variables(instance)).toEqual({ missing: 2 });
  });

  it('waits at an incident when the error boundary event is for another code, and gets a fresh job on resolution', async () => {
    const host = await MemoryHost.deploy(errorAtTask('<bpmn:errorEventDefinition errorRef="e1"/>'));
    const instance = host.start('p');
    const first = host.wait(instance, 'job', 'work').id;
    host.throwJobError(instance, 'work', 'BROKEN');
    expect(host.incidents(instance)).toMatchObject([{ node: 'work', errorType: 'BpmnError', errorCode: 'BROKEN' }]);
    host.resolve(instance, 'work');
    expect(host.wait(instance, 'job', 'work').id).toBeGreaterThan(first);
    host.completeJob(instance, 'work');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('raises an incident when its job type is not a string', async () => {
    const host = await MemoryHost.deploy(
      processModel(
        'p',
        [startEvent('s'), serviceTask('t', { type: '=kind' }), endEvent('e')],
        ['a: s -> t', 'b: t -> e'],
      ),
    );
    expect(host.incidents(host.start('p', { kind: 5 }))).toMatchObject([
      { node: 't', errorType: 'FeelError', errorCode: 'TYPE_MISMATCH' },
    ]);
  });
});

describe('a user task', () => {
  const task = (inner: string) =>
    processModel(
      'p',
      [startEvent('s'), `<bpmn:userTask id="approve">${extensions(inner)}</bpmn:userTask>`, endEvent('e')],
      ['a: s -> approve', 'b: approve -> e'],
    );

  it('names its assignee, candidates and form', async () => {
    const host = await MemoryHost.deploy(
      task(
        '<zeebe:assignmentDefinition assignee="=owner" candidateGroups="=[&quot;sales&quot;, team]" candidateUsers="ann, ben"/><zeebe:formDefinition formKey="approve-form"/>',
      ),
    );
    const instance = host.start('p', { owner: 'zoe', team: 'ops' });
    expect(host.facts(instance)).toContainEqual(
      expect.objectContaining({
        kind: 'USER_TASK_CREATED',
        assignee: 'zoe',
        candidateGroups: ['sales', 'ops'],
        candidateUsers: ['ann', 'ben'],
        formKey: 'approve-form',
      }),
    );
    host.completeTask(instance, 'approve', { approved: true });
    expect(host.variables(instance)).toEqual({ owner: 'zoe', team: 'ops', approved: true });
  });

  describe('with a schedule', () => {
    const schedule = (attributes: string, priority = '') =>
      task(`<zeebe:taskSchedule ${attributes}/>${priority && `<zeebe:priorityDefinition priority="${priority}"/>`}`);
    const created = (host: MemoryHost, instance: ReturnType<MemoryHost['start']>) =>
      host.facts(instance).findLast(({ kind }) => kind === 'USER_TASK_CREATED');
    const at = (text: string) => Date.parse(text);

    it.each([
      ['2026-02-01T09:00:00Z', at('2026-02-01T09:00:00Z')],
      ['2026-02-01T09:00:00.250+02:00', at('2026-02-01T07:00:00.250Z')],
      ['2026-07-01T09:00:00@Europe/Berlin', at('2026-07-01T07:00:00Z')],
      ['P1M', at('2026-02-01T00:00:00Z')],
      ['PT90M', at('2026-01-01T01:30:00Z')],
      ['-P1D', at('2025-12-31T00:00:00Z')],
      ['=now() + duration("P2D")', at('2026-01-03T00:00:00Z')],
      ['=date and time("2026-07-01T09:00:00@Europe/Berlin")', at('2026-07-01T07:00:00Z')],
      ['=duration("P1M")', at('2026-02-01T00:00:00Z')],
      ['=due', at('2026-05-05T05:05:05Z')],
      ['=null', undefined],
    ])('has the due date %s', async (given, due) => {
      const host = await MemoryHost.deploy(schedule(`dueDate="${given.replaceAll('"', '&quot;')}"`));
      const instance = host.start('p', { due: '2026-05-05T05:05:05Z' });
      expect(created(host, instance)).toEqual(
        expect.objectContaining(due === undefined ? { node: 'approve' } : { dueDate: due }),
      );
      expect('dueDate' in created(host, instance)!).toBe(due !== undefined);
    });

    it('has a follow-up date and a priority', async () => {
      const host = await MemoryHost.deploy(schedule('followUpDate="=follow"', '=urgency'));
      const instance = host.start('p', { follow: 'P1D', urgency: 80 });
      expect(created(host, instance)).toMatchObject({ followUpDate: at('2026-01-02T00:00:00Z'), priority: 80 });
    });

    it.each([
      ['due date', 'dueDate="=given"', '', '2026-02-01'],
      ['due date', 'dueDate="=given"', '', '2026-02-01T09:00:00'],
      ['due date', 'dueDate="=given"', '', 1_770_000_000],
      ['due date', 'dueDate="=given"', '', 'P9000Y'],
      ['due date', 'dueDate="=given"', '', '-P2026Y'],
      ['due date', 'dueDate="=given"', '', '0000-12-31T23:59:59Z'],
      ['follow-up date', 'followUpDate="=given"', '', 'soon'],
      ['priority', '', '=given', 101],
      ['priority', '', '=given', -1],
      ['priority', '', '=given', 1.5],
      ['priority', '', '=given', 'high'],
      ['priority', '', '=given', [50]],
    ])('is not created while its %s (%s%s) is %j', async (what, attributes, priority, given) => {
      const host = await MemoryHost.deploy(schedule(attributes, priority));
      const instance = host.start('p', { given });
      expect(host.incidents(instance)).toMatchObject([{ node: 'approve', errorType: 'FeelError' }]);
      expect(host.incidents(instance)[0]!.message).toContain(`The ${what} must be`);
      expect(host.waiting(instance)).toEqual([]);
      host.resolve(instance, 'approve', { given: what === 'priority' ? 7 : 'P1D' });
      expect(host.waiting(instance)).toEqual(['userTask approve']);
    });

    it.each([
      ['dueDate="tomorrow"', ''],
      ['followUpDate="2026-02-01T09:00:00"', ''],
      ['', '101'],
    ])('is not deployed with %s%s', async (attributes, priority) => {
      await expect(MemoryHost.deploy(schedule(attributes, priority))).rejects.toThrow(/approve must be/);
    });
  });

  it('becomes an incident when it fails with an error that nothing catches, and is created again on resolution', async () => {
    const host = await MemoryHost.deploy(task(''));
    const instance = host.start('p');
    host.command(instance, {
      kind: 'THROW_USER_TASK_ERROR',
      execution: host.wait(instance, 'userTask', 'approve').id,
      errorCode: 'REFUSED',
    });
    expect(host.waiting(instance)).toEqual([]);
    host.resolve(instance, 'approve');
    expect(host.waiting(instance)).toEqual(['userTask approve']);
  });
});
