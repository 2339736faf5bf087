import { describe, expect, it } from 'vitest';
import { MemoryHost } from '../../../packages/testkit/memory-host.js';
import { endEvent, extensions, processModel, serviceTask, startEvent, type Xml } from '@perdure/testkit/models';

const caller = (attributes = '', boundary = '', flows: Xml = '') =>
  processModel(
    'parent',
    [
      startEvent('s'),
      `<bpmn:callActivity id="call">${extensions(`<zeebe:calledElement processId="child" ${attributes}/>`)}</bpmn:callActivity>`,
      boundary,
      endEvent('e'),
    ],
    ['a: s -> call', 'b: call -> e', flows],
    '<bpmn:error id="e1" errorCode="BAD"/>',
  );
const child = processModel(
  'child',
  [startEvent('s'), serviceTask('work'), endEvent('e')],
  ['a: s -> work', 'b: work -> e'],
);
const failing = processModel(
  'child',
  [startEvent('s'), '<bpmn:endEvent id="bad"><bpmn:errorEventDefinition errorRef="e1"/></bpmn:endEvent>'],
  ['a: s -> bad'],
  '<bpmn:error id="e1" errorCode="BAD"/>',
);

describe('a call activity', () => {
  it('hands the variables of an error to the event that catches it', async () => {
    const boundary =
      '<bpmn:boundaryEvent id="caught" attachedToRef="call"><bpmn:errorEventDefinition errorRef="e1"/></bpmn:boundaryEvent><bpmn:endEvent id="f"/>';
    const host = await MemoryHost.deploy(child, caller('', boundary, ['c: caught -> f']));
    const parent = host.start('parent');
    host.throwJobError(host.child(parent, 'call'), 'work', 'BAD', { why: 'wet' });
    expect(host.completed(parent)).toContain('f');
    expect(host.variables(parent)).toEqual({ why: 'wet' });
  });

  it('fails at once when the id of the called process is a long text', async () => {
    const model = caller().replace('processId="child"', 'processId="=which"');
    const host = await MemoryHost.deploy(model);
    expect(host.incidents(host.start('parent', { which: 'x'.repeat(256) }))).toMatchObject([
      { node: 'call', errorType: 'FeelError', errorCode: 'TEXT_TOO_LONG' },
    ]);
  });

  it('runs the called process and takes its variables back', async () => {
    const host = await MemoryHost.deploy(child, caller());
    const parent = host.start('parent', { x: 1 });
    const called = host.child(parent, 'call');
    expect(host.variables(called)).toEqual({ x: 1 });
    host.completeJob(called, 'work', { y: 2 });
    expect(parent.state.status).toBe('COMPLETED');
    expect(host.variables(parent)).toEqual({ x: 1, y: 2 });
  });

  it('takes nothing back that is not mapped when child variables are not propagated', async () => {
    const host = await MemoryHost.deploy(child, caller('propagateAllChildVariables="false"'));
    const parent = host.start('parent', { x: 1 });
    host.completeJob(host.child(parent, 'call'), 'work', { y: 2 });
    expect(host.variables(parent)).toEqual({ x: 1 });
  });

  it('catches the error that the called process throws, which then has FAILED', async () => {
    const boundary =
      '<bpmn:boundaryEvent id="caught" attachedToRef="call"><bpmn:errorEventDefinition errorRef="e1"/></bpmn:boundaryEvent><bpmn:endEvent id="handled"/>';
    const host = await MemoryHost.deploy(failing, caller('', boundary, ['c: caught -> handled']));
    const parent = host.start('parent');
    expect(parent.state.status).toBe('COMPLETED');
    expect(host.completed(parent)).toContain('handled');
    expect([...host.instances.values()].find((instance) => instance !== parent)!.state.status).toBe('FAILED');
  });

  it('leaves the incident in the called process when the caller does not catch the error', async () => {
    const host = await MemoryHost.deploy(failing, caller());
    const parent = host.start('parent');
    expect(host.incidents(parent)).toEqual([]);
    expect(host.incidents(host.child(parent, 'call'))).toMatchObject([{ node: 'bad', errorCode: 'BAD' }]);
  });

  it('waits at an incident when no such process is deployed', async () => {
    const host = await MemoryHost.deploy(caller());
    expect(host.incidents(host.start('parent'))).toMatchObject([{ node: 'call', errorType: 'NoHandler' }]);
  });

  it('cancels the called instance with its own', async () => {
    const host = await MemoryHost.deploy(child, caller());
    const parent = host.start('parent');
    const called = host.child(parent, 'call');
    host.command(parent, { kind: 'CANCEL_INSTANCE' });
    expect(parent.state.status).toBe('CANCELED');
    expect(called.state.status).toBe('CANCELED');
    expect(host.waiting(called)).toEqual([]);
  });

  it('stops a process that calls itself without end at a bounded depth', async () => {
    const recursive = processModel(
      'p',
      [
        startEvent('s'),
        `<bpmn:callActivity id="call">${extensions('<zeebe:calledElement processId="p"/>')}</bpmn:callActivity>`,
        endEvent('e'),
      ],
      ['a: s -> call', 'b: call -> e'],
    );
    const host = await MemoryHost.deploy(recursive);
    host.start('p');
    expect(host.instances.size).toBe(26);
    const deepest = [...host.instances.values()].at(-1)!;
    expect(host.incidents(deepest)).toMatchObject([{ node: 'call', errorCode: 'CALL_DEPTH' }]);
  });

  it('stops processes that call each other without end at the same depth', async () => {
    const calling = (id: string, other: string) =>
      processModel(
        id,
        [
          startEvent('s'),
          `<bpmn:callActivity id="call">${extensions(`<zeebe:calledElement processId="${other}"/>`)}</bpmn:callActivity>`,
          endEvent('e'),
        ],
        ['a: s -> call', 'b: call -> e'],
      );
    const host = await MemoryHost.deploy(calling('p', 'q'), calling('q', 'p'));
    host.start('p');
    expect(host.instances.size).toBe(26);
    expect(host.incidents([...host.instances.values()].at(-1)!)).toMatchObject([
      { node: 'call', errorCode: 'CALL_DEPTH' },
    ]);
  });
});
