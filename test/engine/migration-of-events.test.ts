import { describe, expect, it } from 'vitest';
import {
  boundaryEvent,
  compensatedBy,
  endEvent,
  eventSubProcess,
  multiInstance,
  on,
  root,
  serviceTask,
  startEvent,
  subProcess,
  task,
  transaction,
  type Xml,
  type InterruptingOptions,
} from '@perdure/testkit/models';
import { simpleModel } from '../support/models.js';
import { between, issues, migrate, oneTask, waits } from './support/migrating.js';

describe('boundary events', () => {
  const hosted = (events: Xml) => oneTask(serviceTask('a'), 'a', events, [root.message('M'), root.message('N')]);

  it('that are new are opened, ones that are gone are closed, others continue', async () => {
    const { host, instance } = await between(
      hosted([boundaryEvent('gone', 'a', on.timer('PT1H')), boundaryEvent('kept', 'a', on.timer('PT2H'))]),
      hosted([boundaryEvent('kept', 'a', on.timer('PT9H')), boundaryEvent('added', 'a', on.message('M'))]),
    );
    const { kept } = waits(instance);
    host.advance(60_000);
    migrate(host, instance);
    expect(host.waiting(instance)).toEqual(['timer kept', 'job a', 'subscription added']);
    expect(waits(instance)['kept']).toEqual(kept);
  });

  it('are opened where there was none before, and once only when the activity runs again', async () => {
    const { host, instance } = await between(hosted(''), hosted(boundaryEvent('added', 'a', on.message('M'))));
    migrate(host, instance);
    expect(host.waiting(instance)).toEqual(['job a', 'subscription added']);
    host.throwJobError(instance, 'a', 'E');
    host.resolve(instance, 'a');
    expect(host.waiting(instance)).toEqual(['subscription added', 'job a']);
  });

  it('are opened in a version that has them again', async () => {
    const withEvent = hosted(boundaryEvent('added', 'a', on.message('M')));
    const { host, instance } = await between(withEvent, hosted(''));
    migrate(host, instance);
    expect(host.waiting(instance)).toEqual(['job a']);
    await host.deploy(withEvent);
    migrate(host, instance);
    expect(host.waiting(instance)).toEqual(['job a', 'subscription added']);
  });

  it('are opened at a multi-instance activity that is running', async () => {
    const looping = (events: Xml) =>
      oneTask(serviceTask('a', { loop: multiInstance('=[1]') }), 'a', events, root.message('M'));
    const { host, instance } = await between(looping(''), looping(boundaryEvent('added', 'a', on.message('M'))));
    migrate(host, instance);
    expect(host.waiting(instance)).toEqual(['job a', 'subscription added']);
  });

  describe('that are new at an element that is being compensated', () => {
    const body = [
      startEvent('is'),
      task('b'),
      compensatedBy('b', 'Ub'),
      serviceTask('Ub', { isForCompensation: true }),
    ];
    const canceled = (events: Xml) =>
      oneTask(
        transaction('a', [body, endEvent('stop', on.cancel)], ['i1: is -> b', 'i2: b -> stop']),
        'a',
        events,
        root.message('M'),
      );
    const completed = (events: Xml) =>
      simpleModel(
        [
          subProcess('a', [body, endEvent('ie')], ['i1: is -> b', 'i2: b -> ie']),
          endEvent('e', on.compensation()),
          events,
        ],
        ['f1: s -> a', 'f2: a -> e'],
        root.message('M'),
      );
    const message = boundaryEvent('message', 'a', on.message('M'));
    const timer = boundaryEvent('timer', 'a', on.timer('PT1H'));

    it.each([
      ['a canceled transaction', canceled(''), canceled(timer)],
      ['a canceled transaction that has others', canceled(message), canceled([message, timer])],
      ['a sub-process that had completed', completed(''), completed(timer)],
      ['a sub-process that had completed and has others', completed(message), completed([message, timer])],
    ])('stay closed: %s', async (_what, before, after) => {
      const { host, instance } = await between(before, after);
      migrate(host, instance);
      expect(host.waiting(instance)).toEqual(['job Ub']);
      host.completeJob(instance, 'Ub');
      expect(instance.state.status).toBe('COMPLETED');
    });
  });

  it('of an activity at an incident that had none are opened when it runs again', async () => {
    const { host, instance } = await between(hosted(''), hosted(boundaryEvent('added', 'a', on.message('M'))));
    host.throwJobError(instance, 'a', 'E');
    migrate(host, instance);
    expect(host.waiting(instance)).toEqual([]);
    host.resolve(instance, 'a');
    expect(host.waiting(instance)).toEqual(['subscription added', 'job a']);
  });

  it('can be mapped to another event of the same kind at the same activity only', async () => {
    const renamed = await between(
      hosted(boundaryEvent('old', 'a', on.timer('PT1H'))),
      hosted(boundaryEvent('new', 'a', on.timer('PT5H'))),
    );
    migrate(renamed.host, renamed.instance, { old: 'new' });
    renamed.host.advance(3_600_000);
    expect(renamed.host.completed(renamed.instance)).toContain('new');
    const other = await between(
      hosted(boundaryEvent('old', 'a', on.timer('PT1H'))),
      hosted(boundaryEvent('new', 'a', on.message('M'))),
    );
    expect(issues(other.host, other.instance, { old: 'new' })[0]).toMatch(
      /^old of a is mapped to new, which is not the corresponding event/,
    );
  });

  it('of a message with another name is subscribed to again', async () => {
    const { host, instance } = await between(
      hosted(boundaryEvent('b', 'a', on.message('M'), { interrupting: false })),
      hosted(boundaryEvent('b', 'a', on.message('N'), { interrupting: false })),
    );
    migrate(host, instance);
    expect(host.waiting(instance)).toEqual(['job a', 'subscription b']);
    expect(waits(instance)['b']).toMatchObject({ name: 'N' });
  });

  describe('whose condition is at an incident', () => {
    const failing = () =>
      between(
        hosted(boundaryEvent('before', 'a', on.condition('=x > 5'))),
        hosted(boundaryEvent('after', 'a', on.condition('=x > 1'))),
        { x: 'many' },
      );

    it('take the incident along when they are mapped, and are evaluated as the target version has them', async () => {
      const { host, instance } = await failing();
      migrate(host, instance, { before: 'after' });
      expect(host.incidents(instance)).toMatchObject([{ node: 'after' }]);
      host.resolve(instance, 'after', { x: 2 });
      expect(host.completed(instance)).toContain('after');
    });

    it('end the incident with an event that the target version does not have', async () => {
      const { host, instance } = await failing();
      host.command(instance, { kind: 'SET_VARIABLES', variables: { x: 1 } });
      migrate(host, instance);
      expect(host.incidents(instance)).toEqual([]);
      expect(host.waiting(instance)).toEqual(['job a', 'condition after']);
    });
  });

  it('that interrupts now and did not before interrupts', async () => {
    const { host, instance } = await between(
      hosted(boundaryEvent('b', 'a', on.message('M'), { interrupting: false })),
      hosted(boundaryEvent('b', 'a', on.message('M'))),
    );
    migrate(host, instance);
    host.publishMessage('M');
    expect(instance.state.status).toBe('COMPLETED');
  });
});

describe('event sub-processes', () => {
  const handler = (
    id: string,
    message: string,
    start = `${id}_start`,
    attributes: InterruptingOptions = { interrupting: false },
  ) =>
    eventSubProcess(
      id,
      [startEvent(start, on.message(message), attributes), serviceTask(`${id}_work`)],
      [`${id}_flow: ${start} -> ${id}_work`],
    );
  const withHandlers = (...handlers: string[]) =>
    oneTask(serviceTask('a'), 'a', handlers, [root.message('M'), root.message('N')]);

  it('that are new listen, ones that are gone do not, others continue', async () => {
    const { host, instance } = await between(
      withHandlers(handler('gone', 'M'), handler('kept', 'M')),
      withHandlers(handler('kept', 'M'), handler('added', 'N')),
    );
    const kept = waits(instance)['kept_start'];
    migrate(host, instance);
    expect(host.waiting(instance)).toEqual(['subscription kept_start', 'job a', 'subscription added_start']);
    expect(waits(instance)['kept_start']).toEqual(kept);
  });

  it('take their start event along when they are mapped', async () => {
    const { host, instance } = await between(withHandlers(handler('old', 'M')), withHandlers(handler('new', 'M')));
    const { id } = waits(instance)['old_start']!;
    migrate(host, instance, { old: 'new' });
    expect(waits(instance)['new_start']).toMatchObject({ id });
    host.publishMessage('M');
    expect(host.waiting(instance)).toContain('job new_work');
  });

  it('that are active continue, and after an interruption no new one listens', async () => {
    const { host, instance } = await between(
      withHandlers(handler('h', 'M', 'hs', {})),
      withHandlers(handler('h', 'M', 'hs', {}), handler('added', 'N')),
    );
    host.publishMessage('M');
    migrate(host, instance);
    expect(host.waiting(instance)).toEqual(['job h_work']);
    host.completeJob(instance, 'h_work');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('that are active interrupt as they did', async () => {
    const { host, instance } = await between(
      withHandlers(handler('h', 'M', 'hs', {})),
      withHandlers(handler('h', 'M', 'hs')),
    );
    host.publishMessage('M');
    expect(issues(host, instance)[0]).toMatch(
      /event sub-process h is active, but only one of it and its counterpart h/,
    );
  });
});
