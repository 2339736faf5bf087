/** One model with every kind of scope and gateway that the random models do not have. */
import {
  boundary,
  catchEvent,
  compensatedBy,
  endEvent,
  eventSubProcess,
  extensions,
  forEach,
  gateway,
  on,
  root,
  scope,
  serviceTask,
  simpleModel,
  startEvent,
  task,
  throwEvent,
} from '../../support/bpmn-models.js';

const undo = (host: string) =>
  serviceTask(`undo_${host}_work`, 'undo', '', 'isForCompensation="true"') + compensatedBy(host, `undo_${host}_work`);

const transaction = scope(
  'transaction',
  'deal',
  `${startEvent('deal_start')}${serviceTask('book')}${undo('book')}${serviceTask('decide')}${gateway('exclusive', 'good', 'default="yes"')}${endEvent('deal_end')}${endEvent('deal_cancel', on.cancel)}`,
  'd1: deal_start -> book\nd2: book -> decide\nd3: decide -> good\nyes: good -> deal_end\nno: good -> deal_cancel =bad = true',
);

const adHoc = scope(
  'adHocSubProcess',
  'errands',
  `${extensions('<zeebe:adHoc activeElementsCollection="=[&#34;first&#34;,&#34;second&#34;]"/>')}${serviceTask('first')}${serviceTask('second')}${serviceTask('third')}`,
  'e1: first -> third',
  'ordering="Sequential"',
);

const each = scope(
  'subProcess',
  'each',
  `${forEach('=[1,2,3]', { sequential: true, output: '=item', into: 'results' })}${startEvent('each_start')}${gateway('parallel', 'split')}${serviceTask('left')}${serviceTask('right')}${gateway('complex', 'meet', '', '<bpmn:activationCondition>=activationCount &gt;= 1</bpmn:activationCondition>')}${endEvent('each_end')}${eventSubProcess('note', startEvent('note_start', on.message('M'), 'isInterrupting="false"') + serviceTask('noted'), 'n1: note_start -> noted')}`,
  'a1: each_start -> split\na2: split -> left\na3: split -> right\na4: left -> meet\na5: right -> meet\na6: meet -> each_end',
);

const call = `<bpmn:callActivity id="call">${extensions('<zeebe:calledElement processId="other"/>')}</bpmn:callActivity>`;

export const everything = simpleModel(
  `${gateway('parallel', 'fork')}${transaction}${boundary('undone', 'deal', on.cancel)}${adHoc}${each}${boundary('late', 'each', on.timer('PT1H'), 'cancelActivity="false"')}${call}${catchEvent('hold', on.condition('=go = true'))}${gateway('inclusive', 'some')}${gateway('parallel', 'join')}${throwEvent('back', on.compensation())}${task('done')}${endEvent('e')}${endEvent('e2')}${endEvent('e3')}${eventSubProcess('stop', startEvent('stop_start', on.message('N')) + serviceTask('stopped'), 's1: stop_start -> stopped')}`,
  `f1: s -> fork
f2: fork -> deal
f3: fork -> errands
f4: fork -> each
f5: fork -> call
f6: fork -> hold
f7: deal -> some
f8: undone -> e2
f9: errands -> some
f10: each -> join
f11: call -> join
f12: hold -> join
f13: some -> join
f14: join -> back
f15: back -> done
f16: done -> e
f17: late -> e3`,
  root.message('M') + root.message('N'),
);
