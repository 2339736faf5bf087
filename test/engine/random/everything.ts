/** One model with every kind of scope and gateway that the random models do not have. */
import {
  adHocSubProcess,
  boundaryEvent,
  catchEvent,
  compensatedBy,
  complexGateway,
  endEvent,
  eventSubProcess,
  exclusiveGateway,
  extensions,
  inclusiveGateway,
  multiInstance,
  on,
  parallelGateway,
  root,
  serviceTask,
  startEvent,
  subProcess,
  task,
  throwEvent,
  transaction,
} from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';

const undo = (host: string) => [
  serviceTask(`undo_${host}_work`, { type: 'undo', isForCompensation: true }),
  compensatedBy(host, `undo_${host}_work`),
];

const deal = transaction(
  'deal',
  [
    startEvent('deal_start'),
    serviceTask('book'),
    undo('book'),
    serviceTask('decide'),
    exclusiveGateway('good', { default: 'yes' }),
    endEvent('deal_end'),
    endEvent('deal_cancel', on.cancel),
  ],
  [
    'd1: deal_start -> book',
    'd2: book -> decide',
    'd3: decide -> good',
    'yes: good -> deal_end',
    'no: good -> deal_cancel =bad = true',
  ],
);

const adHoc = adHocSubProcess(
  'errands',
  [
    extensions('<zeebe:adHoc activeElementsCollection="=[&#34;first&#34;,&#34;second&#34;]"/>'),
    serviceTask('first'),
    serviceTask('second'),
    serviceTask('third'),
  ],
  ['e1: first -> third'],
  { ordering: 'Sequential' },
);

const each = subProcess(
  'each',
  [
    multiInstance('=[1,2,3]', { sequential: true, output: '=item', into: 'results' }),
    startEvent('each_start'),
    parallelGateway('split'),
    serviceTask('left'),
    serviceTask('right'),
    complexGateway('meet', { activationCondition: '=activationCount >= 1' }),
    endEvent('each_end'),
    eventSubProcess(
      'note',
      [startEvent('note_start', on.message('M'), { interrupting: false }), serviceTask('noted')],
      ['n1: note_start -> noted'],
    ),
  ],
  [
    'a1: each_start -> split',
    'a2: split -> left',
    'a3: split -> right',
    'a4: left -> meet',
    'a5: right -> meet',
    'a6: meet -> each_end',
  ],
);

const call = `<bpmn:callActivity id="call">${extensions('<zeebe:calledElement processId="other"/>')}</bpmn:callActivity>`;

export const everything = simpleModel(
  [
    parallelGateway('fork'),
    deal,
    boundaryEvent('undone', 'deal', on.cancel),
    adHoc,
    each,
    boundaryEvent('late', 'each', on.timer('PT1H'), { interrupting: false }),
    call,
    catchEvent('hold', on.condition('=go = true')),
    inclusiveGateway('some'),
    parallelGateway('join'),
    throwEvent('back', on.compensation()),
    task('done'),
    endEvent('e'),
    endEvent('e2'),
    endEvent('e3'),
    eventSubProcess(
      'stop',
      [startEvent('stop_start', on.message('N')), serviceTask('stopped')],
      ['s1: stop_start -> stopped'],
    ),
  ],
  [
    'f1: s -> fork',
    'f2: fork -> deal',
    'f3: fork -> errands',
    'f4: fork -> each',
    'f5: fork -> call',
    'f6: fork -> hold',
    'f7: deal -> some',
    'f8: undone -> e2',
    'f9: errands -> some',
    'f10: each -> join',
    'f11: call -> join',
    'f12: hold -> join',
    'f13: some -> join',
    'f14: join -> back',
    'f15: back -> done',
    'f16: done -> e',
    'f17: late -> e3',
  ],
  [root.message('M'), root.message('N')],
);
