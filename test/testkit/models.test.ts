/** Models in TypeScript: what they become, and what is found before a compiler sees them. */
import { describe, expect, it } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { testProcess } from '@perdure/testkit';
import {
  adHocSubProcess,
  boundaryEvent,
  bpmnProcess,
  businessRuleTask,
  callActivity,
  catchEvent,
  compensatedBy,
  complexGateway,
  definitions,
  element,
  endEvent,
  eventBasedGateway,
  eventSubProcess,
  exclusiveGateway,
  inclusiveGateway,
  multiInstance,
  on,
  parallelGateway,
  processModel,
  receiveTask,
  root,
  scriptTask,
  sequenceModel,
  serviceTask,
  standardLoop,
  startEvent,
  subProcess,
  task,
  throwEvent,
  transaction,
  userTask,
} from '@perdure/testkit/models';

const start = startEvent('start');
const end = endEvent('end');

describe('a model', () => {
  it('runs as it was written', async () => {
    const order = await testProcess(
      processModel(
        'order',
        [
          start,
          serviceTask('charge', { type: 'charge-card', inputs: { amount: '=total' }, headers: { currency: 'EUR' } }),
          boundaryEvent('declined', 'charge', on.error('DECLINED')),
          exclusiveGateway('large', { default: 'no' }),
          userTask('approve', { name: 'Approve the order', candidateGroups: 'managers' }),
          end,
          endEvent('canceled'),
        ],
        [
          'start -> charge -> large',
          'yes: large -> approve =total > 100',
          'no: large -> end',
          'approve -> end',
          'declined -> canceled',
        ],
        root.error('DECLINED'),
      ),
    );
    const large = order.start({ total: 120 });
    expect(large.job('charge')).toMatchObject({
      type: 'charge-card',
      headers: { currency: 'EUR' },
      variables: { amount: 120 },
    });
    large.job('charge').complete();
    expect(large.task('approve')).toMatchObject({ candidateGroups: ['managers'] });
    large.task('approve').complete();
    large.expectCompleted('end');
    const declined = order.start({ total: 1 });
    declined.job('charge').throwError('DECLINED');
    declined.expectCompleted('canceled');
  });

  it('has every kind of element that a host runs', async () => {
    const everything = definitions([
      [root.message('paid', '=order'), root.signal('stop'), root.error('bad'), root.escalation('late')],
      bpmnProcess(
        'everything',
        [
          start,
          task('a', { loop: standardLoop({ condition: '=loopCounter < 3', maximum: 5 }) }),
          scriptTask('b', '="<&>"', 'text'),
          receiveTask('c', 'paid'),
          businessRuleTask('d', 'discount', 'rate'),
          callActivity('e', 'other', { bindingType: 'versionTag', versionTag: 'stable' }),
          parallelGateway('fork'),
          inclusiveGateway('join'),
          complexGateway('meet', { activationCondition: '=activationCount >= 1' }),
          eventBasedGateway('either'),
          catchEvent('heard', on.message('paid')),
          catchEvent('waited', on.timer('PT1H')),
          catchEvent('dated', on.date('=deadline')),
          catchEvent('true', on.condition('=a < b')),
          subProcess(
            'each',
            [startEvent('is'), task('it'), compensatedBy('it', 'undo'), task('undo', { isForCompensation: true })],
            'is -> it',
            {
              loop: multiInstance('=items', { output: '=item', into: 'results', until: '=count(results) > 1' }),
            },
          ),
          transaction('deal', [startEvent('ds'), endEvent('broken', on.cancel)], 'ds -> broken'),
          boundaryEvent('undone', 'deal', on.cancel),
          adHocSubProcess('choose', task('one'), [], {
            activeElements: '=["one"]',
            ordering: 'Sequential',
            until: '=done',
          }),
          eventSubProcess(
            'beside',
            [startEvent('hs', on.signal('stop'), { interrupting: false }), endEvent('he', on.escalation('late'))],
            'hs -> he',
          ),
          throwEvent('back', on.compensation({ activity: 'each' })),
          throwEvent('jump', on.link('L')),
          catchEvent('land', on.link('L')),
          endEvent('over', on.terminate),
          element('manualTask', { id: 'sign' }),
        ],
        [
          'start -> a -> b -> c -> d -> e -> fork -> join -> meet -> either',
          'fork -> each -> join',
          'either -> heard -> dated -> true -> deal -> choose -> back -> jump',
          'either -> waited -> sign -> over',
          'undone -> over',
          'land -> over',
        ],
        { name: 'Everything' },
      ),
    ]);
    const { problems, processes } = await compile(everything);
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(processes).toMatchObject([{ processID: 'everything' }]);
  });

  it('can be a row of elements between a start and an end', async () => {
    const process = await testProcess(sequenceModel('row', [serviceTask('first'), userTask('second')]));
    const instance = process.start();
    instance.job('first').complete();
    instance.task('second').complete();
    instance.expectPassed('start', 'first', 'second', 'end');
  });

  it('keeps any text as it is', async () => {
    const text = `<"quotes" & 'tags'>]]>`;
    const process = await testProcess(
      sequenceModel('text', [serviceTask('work', { type: text, headers: { note: text } })]),
    );
    expect(process.start().job('work')).toMatchObject({ type: text, headers: { note: text } });
  });

  it('of ten thousand elements in one chain is built', () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => `t${index}`);
    const model = processModel('long', [start, ids.map((id) => task(id))], ['start', ...ids].join(' -> '));
    expect(model.match(/<bpmn:sequenceFlow /g)).toHaveLength(10_000);
  });
});

describe('a wrong model', () => {
  const work = serviceTask('work');

  it.each([
    [
      'a flow to nothing',
      () => processModel('p', start, 'start -> work'),
      'sequenceFlow "start_work": targetRef is "work"',
    ],
    ['a flow from nothing', () => processModel('p', end, 'strat -> end'), 'sourceRef is "strat"'],
    [
      'a boundary event at nothing',
      () => processModel('p', [start, boundaryEvent('late', 'work', on.timer('PT1M'))], []),
      'attachedToRef is "work"',
    ],
    [
      'a default flow that is not there',
      () => processModel('p', exclusiveGateway('g', { default: 'no' }), []),
      'exclusiveGateway "g": default is "no"',
    ],
    [
      'an event whose message is not declared',
      () => processModel('p', catchEvent('wait', on.message('paid')), []),
      'messageRef is "paid"',
    ],
    [
      'an error that is not declared',
      () => processModel('p', endEvent('bad', on.error('BAD')), []),
      'errorRef is "BAD"',
    ],
    ['an id that is there twice', () => processModel('p', [work, work], []), 'More than one element has the id "work"'],
    [
      'a flow with the id of another',
      () => processModel('p', [start, end], ['start -> end', 'start -> end']),
      'id "start_end"',
    ],
    ['a flow that is none', () => processModel('p', [start, end], 'start => end'), 'found "start => end"'],
    [
      'a condition on a chain',
      () => processModel('p', [start, work, end], 'start -> work -> end =x'),
      'Write one line per flow.',
    ],
    ['XML that is not closed', () => processModel('p', '<bpmn:task id="t">', []), 'not well-formed XML'],
    ['an element without an id in a row', () => sequenceModel('p', ['<bpmn:task/>']), 'needs an id'],
  ])('with %s is refused', (_what, write, message) => {
    expect(write).toThrow(message);
  });

  it('is refused with everything that is wrong', () => {
    expect(() => processModel('p', [work, work], ['work -> end', 'start -> work'])).toThrow(
      /"work"\n.*targetRef is "end".*\n.*sourceRef is "start"/s,
    );
  });
});
