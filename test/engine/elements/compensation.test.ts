import { describe, expect, it } from 'vitest';
import { MemoryHost, type MemoryInstance } from '../../../packages/testkit/memory-host.js';
import {
  boundaryEvent,
  compensatedBy,
  endEvent,
  eventSubProcess,
  extensions,
  multiInstance,
  on,
  parallelGateway,
  root,
  scriptTask,
  serviceTask,
  standardLoop,
  startEvent,
  subProcess,
  task,
  throwEvent,
  transaction,
  type Xml,
} from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';

const FOR_COMPENSATION = { isForCompensation: true };
const undo = (id: string) => task(id, FOR_COMPENSATION);

/** The handlers that have completed, in order; they are called `undo...`. */
const undone = (host: MemoryHost, instance: MemoryInstance) =>
  host.completed(instance).filter((node) => node.startsWith('U'));

describe('compensation', () => {
  const three = (event: string) =>
    simpleModel(
      [
        task('a'),
        compensatedBy('a', 'Ua'),
        undo('Ua'),
        task('b'),
        compensatedBy('b', 'Ub'),
        undo('Ub'),
        task('c'),
        event,
        endEvent('e'),
      ],
      ['f1: s -> a', 'f2: a -> b', 'f3: b -> c', 'f4: c -> back', 'f5: back -> e'],
    );

  it('runs the handlers of what has completed in reverse order, then continues', async () => {
    const host = await MemoryHost.deploy(three(throwEvent('back', on.compensation())));
    const instance = host.start('p');
    expect(host.completed(instance)).toEqual(['s', 'a', 'b', 'c', 'Ub', 'undo_b', 'Ua', 'undo_a', 'back', 'e', 'p']);
  });

  it('runs one handler after another and waits for each', async () => {
    const model = simpleModel(
      [
        task('a'),
        compensatedBy('a', 'Ua'),
        serviceTask('Ua', FOR_COMPENSATION),
        task('b'),
        compensatedBy('b', 'Ub'),
        serviceTask('Ub', FOR_COMPENSATION),
        endEvent('e', on.compensation()),
      ],
      ['f1: s -> a', 'f2: a -> b', 'f3: b -> e'],
    );
    const host = await MemoryHost.deploy(model);
    const instance = host.start('p');
    expect(host.waiting(instance)).toEqual(['job Ub']);
    host.completeJob(instance, 'Ub');
    expect(host.waiting(instance)).toEqual(['job Ua']);
    host.completeJob(instance, 'Ua');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('of one activity leaves the others alone, and happens once', async () => {
    const model = simpleModel(
      [
        task('a'),
        compensatedBy('a', 'Ua'),
        undo('Ua'),
        task('b'),
        compensatedBy('b', 'Ub'),
        undo('Ub'),
        throwEvent('one', on.compensation({ activity: 'a' })),
        throwEvent('again', on.compensation({ activity: 'a' })),
        endEvent('e'),
      ],
      ['f1: s -> a', 'f2: a -> b', 'f3: b -> one', 'f4: one -> again', 'f5: again -> e'],
    );
    const host = await MemoryHost.deploy(model);
    expect(undone(host, host.start('p'))).toEqual(['Ua']);
  });

  it('does nothing for what has not completed', async () => {
    const model = simpleModel(
      [
        parallelGateway('fork'),
        serviceTask('a'),
        compensatedBy('a', 'Ua'),
        undo('Ua'),
        endEvent('e'),
        endEvent('back', on.compensation()),
      ],
      ['f1: s -> fork', 'f2: fork -> a', 'f3: fork -> back', 'f4: a -> e'],
    );
    const host = await MemoryHost.deploy(model);
    const instance = host.start('p');
    expect(undone(host, instance)).toEqual([]);
    expect(host.waiting(instance)).toEqual(['job a']);
  });

  it('continues at once when the event does not wait for it', async () => {
    const model = simpleModel(
      [
        task('a'),
        compensatedBy('a', 'Ua'),
        serviceTask('Ua', FOR_COMPENSATION),
        throwEvent('back', on.compensation({ waitForCompletion: false })),
        serviceTask('next'),
        endEvent('e'),
      ],
      ['f1: s -> a', 'f2: a -> back', 'f3: back -> next', 'f4: next -> e'],
    );
    const host = await MemoryHost.deploy(model);
    const instance = host.start('p');
    expect(host.waiting(instance).sort()).toEqual(['job Ua', 'job next']);
    host.completeJob(instance, 'next');
    expect(instance.state.status).toBe('RUNNING');
    host.completeJob(instance, 'Ua');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('reaches into a completed sub-process in reverse order, with its variables as they were', async () => {
    const mapping = '<zeebe:ioMapping><zeebe:input source="=&quot;inner&quot;" target="where"/></zeebe:ioMapping>';
    const inside = [
      startEvent('is'),
      task('a'),
      compensatedBy('a', 'Ua'),
      scriptTask('Ua', '=where', 'seen', FOR_COMPENSATION),
      task('b'),
      compensatedBy('b', 'Ub'),
      undo('Ub'),
      endEvent('ie'),
    ];
    const sub = subProcess('sub', [extensions(mapping), inside], ['i1: is -> a', 'i2: a -> b', 'i3: b -> ie']);
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          task('before'),
          compensatedBy('before', 'Ubefore'),
          undo('Ubefore'),
          sub,
          throwEvent('back', on.compensation()),
          endEvent('e'),
        ],
        ['f1: s -> before', 'f2: before -> sub', 'f3: sub -> back', 'f4: back -> e'],
      ),
    );
    const instance = host.start('p');
    expect(undone(host, instance)).toEqual(['Ub', 'Ua', 'Ubefore']);
    expect(host.variables(instance)).toEqual({ seen: 'inner' });
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('of a sub-process with its own handler runs that handler only', async () => {
    const inside = [startEvent('is'), task('a'), compensatedBy('a', 'Ua'), undo('Ua'), endEvent('ie')];
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          subProcess('sub', [inside], ['i1: is -> a', 'i2: a -> ie']),
          compensatedBy('sub', 'Usub'),
          undo('Usub'),
          endEvent('e', on.compensation()),
        ],
        ['f1: s -> sub', 'f2: sub -> e'],
      ),
    );
    expect(undone(host, host.start('p'))).toEqual(['Usub']);
  });

  it('runs the compensation event sub-process of a completed sub-process, which can compensate what is inside', async () => {
    const handler = eventSubProcess(
      'Uhandler',
      [startEvent('hs', on.compensation()), task('Ufirst'), endEvent('he', on.compensation({ activity: 'a' }))],
      ['h1: hs -> Ufirst', 'h2: Ufirst -> he'],
    );
    const inside = [
      startEvent('is'),
      task('a'),
      compensatedBy('a', 'Ua'),
      undo('Ua'),
      task('b'),
      compensatedBy('b', 'Ub'),
      undo('Ub'),
      endEvent('ie'),
      handler,
    ];
    const host = await MemoryHost.deploy(
      simpleModel(
        [subProcess('sub', [inside], ['i1: is -> a', 'i2: a -> b', 'i3: b -> ie']), endEvent('e', on.compensation())],
        ['f1: s -> sub', 'f2: sub -> e'],
      ),
    );
    const instance = host.start('p');
    expect(undone(host, instance)).toEqual(['Ufirst', 'Ua', 'Uhandler']);
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('in an error event sub-process reaches what completed in the scope it belongs to', async () => {
    const handler = eventSubProcess(
      'handler',
      [startEvent('caught', on.error()), endEvent('he', on.compensation())],
      ['h1: caught -> he'],
    );
    const host = await MemoryHost.deploy(
      simpleModel(
        [task('a'), compensatedBy('a', 'Ua'), undo('Ua'), endEvent('bad', on.error('no')), handler],
        ['f1: s -> a', 'f2: a -> bad'],
        root.error('no'),
      ),
    );
    const instance = host.start('p');
    expect(undone(host, instance)).toEqual(['Ua']);
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('of a multi-instance activity runs its handler once per completed instance, last one first, with its item', async () => {
    const model = simpleModel(
      [
        task('a', { loop: multiInstance('=items', { sequential: true }) }),
        compensatedBy('a', 'Ua'),
        scriptTask('Ua', '=append(seen, item)', 'seen', FOR_COMPENSATION),
        endEvent('e', on.compensation()),
      ],
      ['f1: s -> a', 'f2: a -> e'],
    );
    const host = await MemoryHost.deploy(model);
    expect(host.variables(host.start('p', { items: [1, 2, 3], seen: [] }))).toMatchObject({ seen: [3, 2, 1] });
  });

  it('may have a sub-process as its handler', async () => {
    const handler = subProcess(
      'Ua',
      [startEvent('us'), serviceTask('repair'), endEvent('ue')],
      ['u1: us -> repair', 'u2: repair -> ue'],
      FOR_COMPENSATION,
    );
    const host = await MemoryHost.deploy(
      simpleModel(
        [task('a'), compensatedBy('a', 'Ua'), handler, endEvent('e', on.compensation())],
        ['f1: s -> a', 'f2: a -> e'],
      ),
    );
    const instance = host.start('p');
    host.completeJob(instance, 'repair');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('stops at the incident of a handler and continues when it is resolved', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          task('a'),
          compensatedBy('a', 'Ua'),
          scriptTask('Ua', '=1 / x', 'y', FOR_COMPENSATION),
          endEvent('e', on.compensation()),
        ],
        ['f1: s -> a', 'f2: a -> e'],
      ),
    );
    const instance = host.start('p', { x: 0 });
    expect(host.incidents(instance)).toMatchObject([{ node: 'Ua' }]);
    host.resolve(instance, 'Ua', { x: 1 });
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('goes through thousands of handlers that complete at once', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          task('a', { loop: multiInstance('=items') }),
          compensatedBy('a', 'Ua'),
          undo('Ua'),
          endEvent('e', on.compensation()),
        ],
        ['f1: s -> a', 'f2: a -> e'],
      ),
    );
    const instance = host.start('p', { items: Array.from({ length: 3000 }, () => 1) });
    expect(undone(host, instance)).toHaveLength(3000);
    expect(instance.state.status).toBe('COMPLETED');
  });
});

describe('a transaction', () => {
  const inside = (end: string) => [
    startEvent('is'),
    task('a'),
    compensatedBy('a', 'Ua'),
    undo('Ua'),
    parallelGateway('fork'),
    serviceTask('slow'),
    serviceTask('b'),
    compensatedBy('b', 'Ub'),
    undo('Ub'),
    end,
    endEvent('ie'),
  ];
  const model = (end: string, events: Xml = [boundaryEvent('canceled', 'tx', on.cancel), endEvent('x')]) =>
    simpleModel(
      [
        transaction(
          'tx',
          [inside(end)],
          ['i1: is -> a', 'i2: a -> fork', 'i3: fork -> slow', 'i4: fork -> b', 'i5: b -> stop', 'i6: slow -> ie'],
        ),
        events,
        endEvent('e'),
      ],
      ['f1: s -> tx', 'f2: tx -> e', events ? 'f3: canceled -> x' : ''],
      root.error('no'),
    );

  it('that is canceled ends what is active, compensates what has completed and leaves by its cancel boundary event', async () => {
    const host = await MemoryHost.deploy(model(endEvent('stop', on.cancel)));
    const instance = host.start('p');
    host.completeJob(instance, 'b');
    expect(undone(host, instance)).toEqual(['Ub', 'Ua']);
    expect(host.completed(instance)).toEqual(expect.arrayContaining(['stop', 'canceled', 'x', 'p']));
    expect(host.completed(instance)).not.toContain('e');
    expect(host.waiting(instance)).toEqual([]);
    expect(host.facts(instance)).toContainEqual(expect.objectContaining({ kind: 'JOB_CANCELED' }));
  });

  it('without a cancel boundary event just ends', async () => {
    const host = await MemoryHost.deploy(model(endEvent('stop', on.cancel), ''));
    const instance = host.start('p');
    host.completeJob(instance, 'b');
    expect(undone(host, instance)).toEqual(['Ub', 'Ua']);
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('that completes can be compensated from outside', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          transaction(
            'tx',
            [inside(endEvent('stop'))],
            ['i1: is -> a', 'i2: a -> fork', 'i3: fork -> slow', 'i4: fork -> b', 'i5: b -> stop', 'i6: slow -> ie'],
          ),
          endEvent('e', on.compensation()),
        ],
        ['f1: s -> tx', 'f2: tx -> e'],
      ),
    );
    const instance = host.start('p');
    host.completeJob(instance, 'b');
    host.completeJob(instance, 'slow');
    expect(undone(host, instance)).toEqual(['Ub', 'Ua']);
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('waits for its handlers before it is left', async () => {
    const body = [
      startEvent('is'),
      task('a'),
      compensatedBy('a', 'Ua'),
      serviceTask('Ua', FOR_COMPENSATION),
      endEvent('stop', on.cancel),
    ];
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          transaction('tx', [body], ['i1: is -> a', 'i2: a -> stop']),
          boundaryEvent('canceled', 'tx', on.cancel),
          endEvent('e'),
          endEvent('x'),
        ],
        ['f1: s -> tx', 'f2: tx -> e', 'f3: canceled -> x'],
      ),
    );
    const instance = host.start('p');
    expect(host.waiting(instance)).toEqual(['job Ua']);
    host.completeJob(instance, 'Ua');
    expect(host.completed(instance)).toContain('x');
  });

  it('compensates what completed inside a sub-process that is still active', async () => {
    const sub = subProcess(
      'sub',
      [startEvent('js'), task('a'), compensatedBy('a', 'Ua'), undo('Ua'), serviceTask('slow'), endEvent('je')],
      ['j1: js -> a', 'j2: a -> slow', 'j3: slow -> je'],
    );
    const body = [
      startEvent('is'),
      parallelGateway('fork'),
      sub,
      serviceTask('b'),
      endEvent('stop', on.cancel),
      endEvent('ie'),
    ];
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          transaction(
            'tx',
            [body],
            ['i1: is -> fork', 'i2: fork -> sub', 'i3: fork -> b', 'i4: b -> stop', 'i5: sub -> ie'],
          ),
          boundaryEvent('canceled', 'tx', on.cancel),
          endEvent('e'),
          endEvent('x'),
        ],
        ['f1: s -> tx', 'f2: tx -> e', 'f3: canceled -> x'],
      ),
    );
    const instance = host.start('p');
    host.completeJob(instance, 'b');
    expect(undone(host, instance)).toEqual(['Ua']);
    expect(instance.state.status).toBe('COMPLETED');
  });
});

describe('a terminate end event', () => {
  it('ends a compensation that nothing waits for', async () => {
    const model = simpleModel(
      [
        task('a'),
        compensatedBy('a', 'Ua'),
        undo('Ua'),
        task('b'),
        compensatedBy('b', 'Ub'),
        serviceTask('Ub', FOR_COMPENSATION),
        throwEvent('back', on.compensation({ waitForCompletion: false })),
        serviceTask('next'),
        endEvent('e', on.terminate),
      ],
      ['f1: s -> a', 'f2: a -> b', 'f3: b -> back', 'f4: back -> next', 'f5: next -> e'],
    );
    const host = await MemoryHost.deploy(model);
    const instance = host.start('p');
    host.completeJob(instance, 'next');
    expect(instance.state.status).toBe('COMPLETED');
    expect(undone(host, instance)).toEqual([]);
  });
});

describe('a record of compensation', () => {
  const looping = simpleModel(
    [
      subProcess(
        'sub',
        [startEvent('is'), task('book'), compensatedBy('book', 'Ubook'), undo('Ubook'), endEvent('ie')],
        ['i1: is -> book', 'i2: book -> ie'],
      ).replace(
        '<bpmn:startEvent id="is"',
        `${extensions('<zeebe:ioMapping><zeebe:input source="=text" target="copy"/></zeebe:ioMapping>')}${standardLoop({ maximum: 60 })}<bpmn:startEvent id="is"`,
      ),
      serviceTask('last'),
      throwEvent('back', on.compensation()),
      endEvent('e'),
    ],
    ['a: s -> sub', 'b: sub -> last', 'c: last -> back', 'd: back -> e'],
  );

  it('is dropped if it no longer fits and its incident is resolved', async () => {
    const host = await MemoryHost.deploy(looping);
    const instance = host.start('p', { text: 'x'.repeat(20_000) });
    expect(host.incidents(instance)).toMatchObject([
      {
        node: 'sub',
        errorType: 'SnapshotSizeExceeded',
        errorCode: 'COMPENSATION_TOO_LARGE',
        message: expect.stringContaining('without compensating'),
      },
    ]);
    const forgotten = host.completed(instance).filter((node) => node === 'sub').length;
    host.resolve(instance, 'sub');
    expect(host.incidents(instance)).toEqual([]);
    host.completeJob(instance, 'last');
    expect(instance.state.status).toBe('COMPLETED');
    expect(undone(host, instance)).toHaveLength(60 - forgotten);
  });

  it('is kept when the variables are what is too large', async () => {
    const host = await MemoryHost.deploy(looping);
    const instance = host.start('p', { text: 'x' });
    host.completeJob(instance, 'last', { large: 'x'.repeat(1_100_000) });
    expect(host.incidents(instance)).toMatchObject([
      { node: 'last', errorType: 'SnapshotSizeExceeded', errorCode: 'VARIABLES_TOO_LARGE' },
    ]);
    host.resolve(instance, 'last');
    host.completeJob(instance, 'last');
    expect(undone(host, instance)).toHaveLength(60);
  });
});
