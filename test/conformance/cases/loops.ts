import {
  boundaryEvent,
  endEvent,
  exclusiveGateway,
  extensions,
  multiInstance,
  on,
  root,
  scriptTask,
  serviceTask,
  standardLoop,
  startEvent,
  subProcess,
  type Xml,
} from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';
import { act, type Family } from '../case.js';

const MANY = '10.3.8, 13.3.7';
const STANDARD = '10.3.8, 13.3.6';
const through = (activity: string, more: Xml = '', flows: Xml = '') =>
  simpleModel(
    [activity, more, endEvent('e')],
    ['a: s -> work', 'b: work -> e', flows],
    [root.signal('stop'), root.error('broken')],
  );
const each = (characteristics: string) => through(serviceTask('work', { loop: characteristics }));
const collected = { output: '=result', into: 'results' };
const cardinality = (count: string) =>
  `<bpmn:multiInstanceLoopCharacteristics isSequential="true"><bpmn:loopCardinality>${count}</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>`;
const add = (characteristics: string) => through(scriptTask('work', '=x + 1', 'x', { loop: characteristics }));

export const loops: Family = {
  title: 'Loops',
  file: 'loops.ts',
  cases: [
    {
      shows: 'multi-instance, parallel, output in the order of the items',
      section: MANY,
      files: each(multiInstance('=items', collected)),
      variables: { items: ['a', 'b'] },
      play: [act.completeJob('work', { result: 1 }), act.completeJob('work', { result: 2 })],
      outcome: { history: 's work work#1 work#2 e', variables: { items: ['a', 'b'], results: [1, 2] } },
    },
    {
      shows: 'multi-instance, sequential',
      section: MANY,
      files: each(multiInstance('=items', { ...collected, sequential: true })),
      variables: { items: ['a', 'b'] },
      play: [act.completeJob('work', { result: 1 }), act.completeJob('work', { result: 2 })],
      outcome: { history: 's work work#1 work#2 e', variables: { items: ['a', 'b'], results: [1, 2] } },
    },
    {
      shows: 'multi-instance, item and loopCounter',
      section: MANY,
      files: through(scriptTask('work', '=item * loopCounter', 'result', { loop: multiInstance('=items', collected) })),
      variables: { items: [5, 7] },
      outcome: { history: 's work work#1 work#2 e', variables: { items: [5, 7], results: [5, 14] } },
    },
    {
      shows: 'multi-instance, loop cardinality',
      section: MANY,
      files: through(scriptTask('work', '=x + loopCounter', 'x', { loop: cardinality('=3') })),
      variables: { x: 0 },
      outcome: { history: 's work work#1 work#2 work#3 e', variables: { x: 6 } },
    },
    {
      shows: 'multi-instance, over an empty list',
      section: MANY,
      files: each(multiInstance('=[]', collected)),
      outcome: { history: 's work e', variables: { results: [] } },
    },
    {
      shows: 'multi-instance, completion condition: the rest is canceled',
      section: MANY,
      files: each(
        multiInstance('=items', {
          ...collected,
          until: '=numberOfCompletedInstances = 2 and numberOfActiveInstances = 1',
        }),
      ),
      variables: { items: [1, 2, 3] },
      play: [act.completeJob('work', { result: 'x' }), act.completeJob('work', { result: 'y' })],
      outcome: {
        history: 's work work#1 work#2 work#3~ e',
        variables: { items: [1, 2, 3], results: ['x', 'y', null] },
      },
    },
    {
      shows: 'multi-instance, sequential, completion condition',
      section: MANY,
      files: each(multiInstance('=items', { ...collected, sequential: true, until: '=result = "stop"' })),
      variables: { items: [1, 2, 3] },
      play: [act.completeJob('work', { result: 'go' }), act.completeJob('work', { result: 'stop' })],
      outcome: { history: 's work work#1 work#2 e', variables: { items: [1, 2, 3], results: ['go', 'stop', null] } },
    },
    {
      shows: 'multi-instance, collection that is not a list: an incident',
      section: MANY,
      files: each(multiInstance('=items')),
      variables: { items: 5 },
      play: [act.resolve('work', { items: [1] }), act.completeJob('work')],
      outcome: { history: 's work work#1 e' },
    },
    {
      shows: 'multi-instance, the incident of one instance leaves the others alone',
      section: MANY,
      files: through(scriptTask('work', '=10 / item', 'result', { loop: multiInstance('=items', collected) })),
      variables: { items: [1, 0, 2] },
      play: [act.resolve('work', { item: 5 })],
      outcome: { history: 's work work#1 work#2 work#3 e', variables: { items: [1, 0, 2], results: [10, 2, 5] } },
    },
    {
      shows: 'multi-instance, of a sub-process',
      section: MANY,
      files: through(
        subProcess(
          'work',
          [
            startEvent('is'),
            scriptTask('double', '=item * 2', 'result'),
            endEvent('ie'),
            multiInstance('=items', collected),
          ],
          ['i1: is -> double', 'i2: double -> ie'],
        ),
      ),
      variables: { items: [1, 2] },
      outcome: {
        history: 's work work#1 is work#2 is double double ie ie e',
        variables: { items: [1, 2], results: [2, 4] },
      },
    },
    {
      shows: 'multi-instance, of a call activity',
      section: MANY,
      files: [
        simpleModel(
          [scriptTask('double', '=item * 2', 'result'), endEvent('e')],
          ['a: s -> double', 'b: double -> e'],
        ).replaceAll('"p"', '"called"'),
        through(
          `<bpmn:callActivity id="work">${extensions('<zeebe:calledElement processId="called"/>')}${multiInstance('=items', { ...collected, sequential: true })}</bpmn:callActivity>`,
        ),
      ],
      variables: { items: [1, 2] },
      outcome: [
        { history: 's work work#1 work#2 e', variables: { items: [1, 2], results: [2, 4] } },
        { process: 'called', history: 's double e' },
        { process: 'called', history: 's double e' },
      ],
    },
    {
      shows: 'multi-instance, of a user task',
      section: MANY,
      files: through(`<bpmn:userTask id="work">${multiInstance('=items')}</bpmn:userTask>`),
      variables: { items: [1, 2] },
      play: [act.completeTask('work'), act.completeTask('work')],
      outcome: { history: 's work work#1 work#2 e' },
    },
    {
      shows: 'multi-instance, interrupted by a boundary event',
      section: `${MANY}, 13.5.3`,
      files: through(
        serviceTask('work', { loop: multiInstance('=items') }),
        [boundaryEvent('event', 'work', on.signal('stop')), endEvent('f')],
        ['c: event -> f'],
      ),
      variables: { items: [1, 2] },
      play: [act.completeJob('work'), act.signal('stop')],
      outcome: { history: 's work~ work#1 work#2~ event f' },
    },
    {
      shows: 'multi-instance, an error of one instance ends them all',
      section: `${MANY}, 13.5.3`,
      files: through(
        serviceTask('work', { loop: multiInstance('=items') }),
        [boundaryEvent('event', 'work', on.error('broken')), endEvent('f')],
        ['c: event -> f'],
      ),
      variables: { items: [1, 2] },
      play: [act.failJob('work', 'broken')],
      outcome: { history: 's work! work#1~ work#2~ event f' },
    },
    {
      shows: 'multi-instance, inside another one',
      section: MANY,
      files: through(
        subProcess(
          'work',
          [
            startEvent('is'),
            scriptTask('sum', '=item + inner', 'cell', {
              loop: multiInstance('=[10, 20]', { element: 'inner', output: '=cell', into: 'row' }),
            }),
            endEvent('ie'),
            multiInstance('=items', { output: '=row', into: 'table' }),
          ],
          ['i1: is -> sum', 'i2: sum -> ie'],
        ),
      ),
      variables: { items: [1, 2] },
      outcome: {
        history: 's work work#1 is work#2 is sum sum sum#1 sum#2 ie sum#1 sum#2 ie e',
        variables: {
          items: [1, 2],
          table: [
            [11, 21],
            [12, 22],
          ],
        },
      },
    },
    {
      shows: 'standard, tested before',
      section: STANDARD,
      files: add(standardLoop({ condition: '=x < 2', testBefore: true })),
      variables: { x: 0 },
      outcome: { history: 's work work#1 work#2 e', variables: { x: 2 } },
    },
    {
      shows: 'standard, tested before and never true',
      section: STANDARD,
      files: add(standardLoop({ condition: '=x < 2', testBefore: true })),
      variables: { x: 2 },
      outcome: { history: 's work e', variables: { x: 2 } },
    },
    {
      shows: 'standard, tested after: at least once',
      section: STANDARD,
      files: add(standardLoop({ condition: '=x < 2' })),
      variables: { x: 2 },
      outcome: { history: 's work work#1 e', variables: { x: 3 } },
    },
    {
      shows: 'standard, maximum',
      section: STANDARD,
      files: add(standardLoop({ condition: '=true', maximum: 3 })),
      variables: { x: 0 },
      outcome: { history: 's work work#1 work#2 work#3 e', variables: { x: 3 } },
    },
    {
      shows: 'standard, of a task that waits',
      section: STANDARD,
      files: through(serviceTask('work', { loop: standardLoop({ condition: '=again' }) })),
      play: [act.completeJob('work', { again: true }), act.completeJob('work', { again: false })],
      outcome: { history: 's work work#1 work#2 e', variables: { again: false } },
    },
    {
      shows: 'standard, of a sub-process',
      section: STANDARD,
      files: through(
        subProcess(
          'work',
          [
            startEvent('is'),
            scriptTask('add', '=x + loopCounter', 'x'),
            endEvent('ie'),
            standardLoop({ condition: '=x < 3' }),
          ],
          ['i1: is -> add', 'i2: add -> ie'],
        ),
      ),
      variables: { x: 0 },
      outcome: { history: 's work work#1 is add ie work#2 is add ie e', variables: { x: 3 } },
    },
    {
      shows: 'standard, condition that fails: an incident',
      section: STANDARD,
      files: add(standardLoop({ condition: '=x < most' })),
      variables: { x: 0, most: 'many' },
      play: [act.resolve('work', { most: 1 })],
      outcome: { history: 's work work#1 e', variables: { most: 'many', x: 1 } },
    },
    {
      shows: 'drawn with gateways',
      section: '13.4.2',
      files: simpleModel(
        [exclusiveGateway('again'), serviceTask('work'), exclusiveGateway('turn', { default: 'd' }), endEvent('e')],
        ['a: s -> again', 'b: again -> work', 'c: work -> turn', 't: turn -> again =more', 'd: turn -> e'],
      ),
      play: [act.completeJob('work', { more: true }), act.completeJob('work', { more: false })],
      outcome: { history: 's again work turn again work turn e' },
    },
  ],
};
