import { describe, expect, it } from 'vitest';
import { MemoryHost } from '../../../packages/testkit/memory-host.js';
import {
  boundaryEvent,
  endEvent,
  on,
  parallelGateway,
  processModel,
  sequenceFlows,
  serviceTask,
  startEvent,
  subProcess,
  type InterruptingOptions,
} from '@perdure/testkit/models';

const timer = (kind: string, text: string) =>
  `<bpmn:timerEventDefinition><bpmn:${kind}>${text}</bpmn:${kind}></bpmn:timerEventDefinition>`;
const MINUTE = 60_000;

describe('a timer intermediate catch event', () => {
  it('continues when its duration has passed, not earlier', async () => {
    const host = await MemoryHost.deploy(
      processModel(
        'p',
        [
          startEvent('s'),
          `<bpmn:intermediateCatchEvent id="wait">${timer('timeDuration', 'PT10M')}</bpmn:intermediateCatchEvent>`,
          endEvent('e'),
        ],
        ['a: s -> wait', 'b: wait -> e'],
      ),
    );
    const instance = host.start('p');
    host.advance(10 * MINUTE - 1);
    expect(host.waiting(instance)).toEqual(['timer wait']);
    host.advance(1);
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('takes its date from a variable', async () => {
    const host = await MemoryHost.deploy(
      processModel(
        'p',
        [
          startEvent('s'),
          `<bpmn:intermediateCatchEvent id="wait">${timer('timeDate', '=due')}</bpmn:intermediateCatchEvent>`,
          endEvent('e'),
        ],
        ['a: s -> wait', 'b: wait -> e'],
      ),
    );
    const instance = host.start('p', { due: '2026-01-01T02:30:00+01:00' });
    expect(host.wait(instance, 'timer', 'wait').due).toBe(Date.parse('2026-01-01T01:30:00Z'));
  });

  it('waits at an incident when its expression gives no duration', async () => {
    const host = await MemoryHost.deploy(
      processModel(
        'p',
        [
          startEvent('s'),
          `<bpmn:intermediateCatchEvent id="wait">${timer('timeDuration', '=later')}</bpmn:intermediateCatchEvent>`,
          endEvent('e'),
        ],
        ['a: s -> wait', 'b: wait -> e'],
      ),
    );
    const instance = host.start('p', { later: 'soon' });
    expect(host.incidents(instance)).toMatchObject([{ node: 'wait', errorType: 'TimerResolution' }]);
    host.resolve(instance, 'wait', { later: 'PT1M' });
    host.advance(MINUTE);
    expect(instance.state.status).toBe('COMPLETED');
  });
});

describe('a timer boundary event', () => {
  const model = (options: InterruptingOptions, definition: string) =>
    processModel(
      'p',
      [
        startEvent('s'),
        serviceTask('work'),
        boundaryEvent('late', 'work', definition, options),
        endEvent('done'),
        endEvent('reminded'),
      ],
      ['a: s -> work', 'b: work -> done', 'c: late -> reminded'],
    );

  it('ends its activity and cancels the job when it interrupts', async () => {
    const host = await MemoryHost.deploy(model({}, timer('timeDuration', 'PT1M')));
    const instance = host.start('p');
    host.advance(MINUTE);
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.facts(instance)).toContainEqual(expect.objectContaining({ kind: 'JOB_CANCELED' }));
    expect(host.completed(instance)).not.toContain('done');
  });

  it('leaves its activity running when it does not interrupt', async () => {
    const host = await MemoryHost.deploy(model({ interrupting: false }, timer('timeDuration', 'PT1M')));
    const instance = host.start('p');
    host.advance(MINUTE);
    expect(host.completed(instance)).toContain('reminded');
    expect(host.waiting(instance)).toEqual(['job work']);
    host.completeJob(instance, 'work');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('fires as often as its cycle says', async () => {
    const host = await MemoryHost.deploy(model({ interrupting: false }, timer('timeCycle', 'R3/PT1M')));
    const instance = host.start('p');
    host.advance(60 * MINUTE);
    expect(host.completed(instance).filter((node) => node === 'late')).toHaveLength(3);
    expect(host.waiting(instance)).toEqual(['job work']);
  });

  it('stops when its activity completes', async () => {
    const host = await MemoryHost.deploy(model({}, timer('timeDuration', 'PT1M')));
    const instance = host.start('p');
    host.completeJob(instance, 'work');
    expect(host.facts(instance)).toContainEqual(expect.objectContaining({ kind: 'TIMER_CANCELED' }));
    expect(instance.state.status).toBe('COMPLETED');
  });
});

describe('a terminate end event', () => {
  it('ends everything else in the process', async () => {
    const host = await MemoryHost.deploy(
      processModel(
        'p',
        [
          startEvent('s'),
          parallelGateway('fork'),
          serviceTask('slow'),
          serviceTask('fast'),
          endEvent('e'),
          '<bpmn:endEvent id="stop"><bpmn:terminateEventDefinition/></bpmn:endEvent>',
        ],
        ['a: s -> fork', 'b: fork -> slow', 'c: fork -> fast', 'd: slow -> e', 'f: fast -> stop'],
      ),
    );
    const instance = host.start('p');
    host.completeJob(instance, 'fast');
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.waiting(instance)).toEqual([]);
  });

  it('ends only its sub-process if it is inside one', async () => {
    const inside = [startEvent('is'), parallelGateway('fork'), serviceTask('slow'), endEvent('stop', on.terminate)];
    const insideFlows = ['ia: is -> fork', 'ib: fork -> slow', 'ic: fork -> stop'];
    const host = await MemoryHost.deploy(
      processModel(
        'p',
        [startEvent('s'), subProcess('sub', inside, insideFlows), serviceTask('after'), endEvent('e')],
        ['a: s -> sub', 'b: sub -> after', 'c: after -> e'],
      ),
    );
    const instance = host.start('p');
    expect(host.waiting(instance)).toEqual(['job after']);
  });
});

describe('an error end event', () => {
  const inside = [startEvent('is'), serviceTask('check'), endEvent('bad', on.error('e1'))];
  const insideFlows = ['ia: is -> check', 'ib: check -> bad'];
  const root = '<bpmn:error id="e1" errorCode="BAD"/>';

  it('is caught at the boundary of the sub-process around it', async () => {
    const host = await MemoryHost.deploy(
      processModel(
        'p',
        [
          startEvent('s'),
          subProcess('sub', inside, insideFlows),
          boundaryEvent('caught', 'sub', on.error()),
          endEvent('fine'),
          endEvent('handled'),
        ],
        ['a: s -> sub', 'b: sub -> fine', 'c: caught -> handled'],
        root,
      ),
    );
    const instance = host.start('p');
    host.completeJob(instance, 'check');
    expect(host.completed(instance)).toContain('handled');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('waits at an incident when nothing around it catches the error', async () => {
    const host = await MemoryHost.deploy(
      processModel(
        'p',
        [startEvent('s'), '<bpmn:endEvent id="bad"><bpmn:errorEventDefinition errorRef="e1"/></bpmn:endEvent>'],
        ['a: s -> bad'],
        root,
      ),
    );
    const instance = host.start('p');
    expect(host.incidents(instance)).toMatchObject([{ node: 'bad', errorType: 'BpmnError', errorCode: 'BAD' }]);
    expect(instance.state.status).toBe('RUNNING');
  });

  it('is caught by an error event sub-process, which ends everything else in its scope', async () => {
    const handler = `<bpmn:subProcess id="handler" triggeredByEvent="true"><bpmn:startEvent id="onBad"><bpmn:errorEventDefinition errorRef="e1"/></bpmn:startEvent>${serviceTask('repair')}<bpmn:endEvent id="he"/>${sequenceFlows(['ha: onBad -> repair', 'hb: repair -> he'])}</bpmn:subProcess>`;
    const host = await MemoryHost.deploy(
      processModel(
        'p',
        [
          startEvent('s'),
          parallelGateway('fork'),
          serviceTask('other'),
          '<bpmn:endEvent id="bad"><bpmn:errorEventDefinition errorRef="e1"/></bpmn:endEvent>',
          handler,
        ],
        ['a: s -> fork', 'b: fork -> other', 'c: fork -> bad'],
        root,
      ),
    );
    const instance = host.start('p');
    expect(host.waiting(instance)).toEqual(['job repair']);
    host.completeJob(instance, 'repair');
    expect(instance.state.status).toBe('COMPLETED');
  });
});

it('a process that only events begin comes to an incident when it is begun without one', async () => {
  const host = await MemoryHost.deploy(
    processModel(
      'p',
      [`<bpmn:startEvent id="tick">${timer('timeCycle', 'R/PT1H')}</bpmn:startEvent>`, endEvent('e')],
      ['a: tick -> e'],
    ),
  );
  expect(host.incidents(host.start('p'))).toMatchObject([{ errorType: 'NoHandler', errorCode: 'NO_START' }]);
  expect(host.start('p', {}, { startNode: 'tick' }).state.status).toBe('COMPLETED');
});
