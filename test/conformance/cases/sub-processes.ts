import {
  adHocSubProcess,
  boundaryEvent,
  bpmnProcess,
  callActivity,
  compensatedBy,
  definitions,
  element,
  endEvent,
  extensions,
  on,
  parallelGateway,
  processModel,
  root,
  scriptTask,
  sequenceFlows,
  serviceTask,
  startEvent,
  subProcess,
  task,
  throwEvent,
  type AdHocOptions,
  type Xml,
} from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';
import { act, type Family } from '../case.js';

const EMBEDDED = '10.3.5, 13.3.4';
const CALL = '10.3.6, 13.3.4';
const AD_HOC = '10.3.5, 13.3.5';
const TRANSACTION = '10.3.5, 13.5.3';
const ROOTS = [root.error('broken'), root.escalation('late')];
const BESIDE = { interrupting: false };
const UNDO = { isForCompensation: true };
interface Inside {
  body: Xml;
  flows: Xml;
}
const caller = (attributes = '', more: Xml = '', flows: Xml = '') =>
  simpleModel(
    [
      `<bpmn:callActivity id="call">${extensions(`<zeebe:calledElement processId="called" ${attributes}/>${attributes.includes('Child') ? '<zeebe:ioMapping><zeebe:input source="=x" target="given"/><zeebe:output source="=y" target="got"/></zeebe:ioMapping>' : ''}`)}</bpmn:callActivity>`,
      more,
      endEvent('e'),
    ],
    ['a: s -> call', 'b: call -> e', flows],
    ROOTS,
  );
const called = (body: Xml, flows: Xml) => processModel('called', [startEvent('cs'), body], flows, ROOTS);
const works = called([serviceTask('work'), endEvent('ce')], ['ca: cs -> work', 'cb: work -> ce']);
const inside = (body: Xml, flows: Xml): Inside => ({ body: [startEvent('is'), body], flows });
const sub = (kind: 'subProcess' | 'transaction', given: Inside, more: Xml = '', flows: Xml = '') =>
  simpleModel(
    [element(kind, { id: 'sub' }, [given.body, sequenceFlows(given.flows)]), more, endEvent('e')],
    ['a: s -> sub', 'b: sub -> e', flows],
    ROOTS,
  );
const adHoc = (options: AdHocOptions, flows: Xml = []) =>
  simpleModel(
    [adHocSubProcess('sub', [serviceTask('call'), serviceTask('write')], flows, options), endEvent('e')],
    ['a: s -> sub', 'b: sub -> e'],
  );
const booking = inside(
  [
    task('book'),
    compensatedBy('book', 'unbook'),
    task('unbook', UNDO),
    parallelGateway('fork'),
    serviceTask('pay'),
    serviceTask('pack'),
    endEvent('stop', on.cancel),
    endEvent('ie'),
  ],
  ['i1: is -> book', 'i2: book -> fork', 'i3: fork -> pay', 'i4: fork -> pack', 'i5: pay -> stop', 'i6: pack -> ie'],
);

export const subProcesses: Family = {
  title: 'Sub-processes and call activities',
  file: 'sub-processes.ts',
  cases: [
    {
      shows: 'embedded: completes when nothing is left inside',
      section: EMBEDDED,
      files: sub(
        'subProcess',
        inside(
          [parallelGateway('fork'), serviceTask('left'), serviceTask('right'), endEvent('ie'), endEvent('if')],
          ['i1: is -> fork', 'i2: fork -> left', 'i3: fork -> right', 'i4: left -> ie', 'i5: right -> if'],
        ),
      ),
      play: [act.completeJob('right'), act.completeJob('left')],
      outcome: { history: 's sub is fork left right if ie e' },
    },
    {
      shows: 'embedded, without a start event',
      section: EMBEDDED,
      files: simpleModel(
        [subProcess('sub', [task('left'), task('right')], []), endEvent('e')],
        ['a: s -> sub', 'b: sub -> e'],
      ),
      outcome: { history: 's sub left right e' },
    },
    {
      shows: 'embedded, with its own variables',
      section: '10.4',
      files: simpleModel(
        [
          subProcess(
            'sub',
            [
              extensions(
                '<zeebe:ioMapping><zeebe:input source="=1" target="y"/><zeebe:output source="=y" target="result"/></zeebe:ioMapping>',
              ),
              startEvent('is'),
              scriptTask('work', '=y + 1', 'y'),
              endEvent('ie'),
            ],
            ['i1: is -> work', 'i2: work -> ie'],
          ),
          endEvent('e'),
        ],
        ['a: s -> sub', 'b: sub -> e'],
      ),
      variables: { y: 50 },
      outcome: { history: 's sub is work ie e', variables: { result: 2, y: 50 } },
    },
    {
      shows: 'embedded, nested',
      section: EMBEDDED,
      files: sub(
        'subProcess',
        inside(
          [
            subProcess(
              'inner',
              [startEvent('js'), serviceTask('work'), endEvent('je')],
              ['j1: js -> work', 'j2: work -> je'],
            ),
            endEvent('ie'),
          ],
          ['i1: is -> inner', 'i2: inner -> ie'],
        ),
      ),
      play: [act.completeJob('work')],
      outcome: { history: 's sub is inner js work je ie e' },
    },
    {
      shows: 'call activity, variables both ways',
      section: CALL,
      files: [works, caller()],
      variables: { x: 1 },
      play: [act.completeJob('work', { y: 2 })],
      outcome: [
        { history: 's call e', variables: { x: 1, y: 2 } },
        { process: 'called', history: 'cs work ce', variables: { x: 1, y: 2 } },
      ],
    },
    {
      shows: 'call activity, only what is mapped',
      section: CALL,
      files: [works, caller('propagateAllParentVariables="false" propagateAllChildVariables="false"')],
      variables: { x: 1, secret: 2 },
      play: [act.completeJob('work', { y: 2, z: 3 })],
      outcome: [
        { history: 's call e', variables: { got: 2, secret: 2, x: 1 } },
        { process: 'called', history: 'cs work ce', variables: { given: 1, y: 2, z: 3 } },
      ],
    },
    {
      shows: 'call activity, of the process that its own deployment brought',
      section: CALL,
      files: [
        definitions([
          bpmnProcess(
            'p',
            [startEvent('s'), callActivity('call', 'called', { bindingType: 'deployment' }), endEvent('e')],
            's -> call -> e',
          ),
          bpmnProcess('called', [startEvent('cs'), serviceTask('work'), endEvent('ce')], 'cs -> work -> ce'),
        ]),
        called(endEvent('newer'), 'ca: cs -> newer'),
      ],
      play: [act.completeJob('work')],
      outcome: [{ history: 's call e' }, { process: 'called', history: 'cs work ce' }],
    },
    {
      shows: 'call activity, of the version with a tag',
      section: CALL,
      files: [
        works.replace(
          'isExecutable="true">',
          `isExecutable="true">${extensions('<zeebe:versionTag value="stable"/>')}`,
        ),
        called(endEvent('newer'), 'ca: cs -> newer'),
        caller('bindingType="versionTag" versionTag="stable"'),
      ],
      play: [act.completeJob('work')],
      outcome: [{ history: 's call e' }, { process: 'called', history: 'cs work ce' }],
    },
    {
      shows: 'call activity, the error of the called process is caught',
      section: `${CALL}, 10.5.6`,
      files: [
        called(endEvent('bad', on.error('broken')), 'ca: cs -> bad'),
        caller('', [boundaryEvent('event', 'call', on.error('broken')), endEvent('f')], ['c: event -> f']),
      ],
      outcome: [{ history: 's call! event f' }, { process: 'called', status: 'FAILED', history: 'cs bad~' }],
    },
    {
      shows: 'call activity, escalation of the called process, interrupting',
      section: `${CALL}, 10.5.6`,
      files: [
        called(
          [throwEvent('shout', on.escalation('late')), serviceTask('work'), endEvent('ce')],
          ['ca: cs -> shout', 'cb: shout -> work', 'cc: work -> ce'],
        ),
        caller('', [boundaryEvent('event', 'call', on.escalation('late')), endEvent('f')], ['c: event -> f']),
      ],
      outcome: [{ history: 's call~ event f' }, { process: 'called', status: 'CANCELED', history: 'cs shout work~' }],
    },
    {
      shows: 'call activity, escalation of the called process, non-interrupting',
      section: `${CALL}, 10.5.6`,
      files: [
        called(
          [throwEvent('shout', on.escalation('late')), serviceTask('work'), endEvent('ce')],
          ['ca: cs -> shout', 'cb: shout -> work', 'cc: work -> ce'],
        ),
        caller('', [boundaryEvent('event', 'call', on.escalation('late'), BESIDE), endEvent('f')], ['c: event -> f']),
      ],
      play: [act.completeJob('work')],
      outcome: [{ history: 's call event f e' }, { process: 'called', history: 'cs shout work ce' }],
    },
    {
      shows: 'call activity, interrupted: the called instance is canceled',
      section: CALL,
      files: [
        works,
        caller('', [boundaryEvent('event', 'call', on.condition('=stop')), endEvent('f')], ['c: event -> f']),
      ],
      variables: { stop: false },
      play: [act.setVariables({ stop: true })],
      outcome: [{ history: 's call~ event f' }, { process: 'called', status: 'CANCELED', history: 'cs work~' }],
    },
    {
      shows: 'call activity, unknown process: an incident',
      section: CALL,
      files: caller(),
      outcome: { status: 'RUNNING', history: 's call?', incidents: ['call NoHandler'] },
    },
    {
      shows: 'transaction that completes',
      section: TRANSACTION,
      files: sub('transaction', inside([task('book'), endEvent('ie')], ['i1: is -> book', 'i2: book -> ie'])),
      outcome: { history: 's sub is book ie e' },
    },
    {
      shows: 'transaction that is canceled: the rest ends, what has completed is compensated',
      section: TRANSACTION,
      files: sub('transaction', booking, [boundaryEvent('event', 'sub', on.cancel), endEvent('f')], ['c: event -> f']),
      play: [act.completeJob('pay')],
      outcome: { history: 's sub~ is book fork pay pack~ stop undo_book unbook event f' },
    },
    {
      shows: 'transaction that is canceled, left when its handlers are done',
      section: TRANSACTION,
      files: sub(
        'transaction',
        inside(
          [task('book'), compensatedBy('book', 'unbook'), serviceTask('unbook', UNDO), endEvent('stop', on.cancel)],
          ['i1: is -> book', 'i2: book -> stop'],
        ),
        [boundaryEvent('event', 'sub', on.cancel), endEvent('f')],
        ['c: event -> f'],
      ),
      play: [act.completeJob('unbook')],
      outcome: { history: 's sub~ is book stop undo_book unbook event f' },
    },
    {
      shows: 'transaction that is canceled, without a cancel boundary event: its path ends',
      section: TRANSACTION,
      files: sub('transaction', booking),
      play: [act.completeJob('pay')],
      outcome: { history: 's sub~ is book fork pay pack~ stop undo_book unbook' },
    },
    {
      shows: 'transaction that ends in an error (hazard): not compensated',
      section: TRANSACTION,
      files: sub(
        'transaction',
        inside(
          [task('book'), compensatedBy('book', 'unbook'), task('unbook', UNDO), endEvent('bad', on.error('broken'))],
          ['i1: is -> book', 'i2: book -> bad'],
        ),
        [boundaryEvent('event', 'sub', on.error('broken')), endEvent('f')],
        ['c: event -> f'],
      ),
      outcome: { history: 's sub! is book bad~ event f' },
    },
    {
      shows: 'transaction that has completed is compensated like a sub-process',
      section: `${TRANSACTION}, 13.5.5`,
      files: sub(
        'transaction',
        inside(
          [task('book'), compensatedBy('book', 'unbook'), task('unbook', UNDO), endEvent('ie')],
          ['i1: is -> book', 'i2: book -> ie'],
        ),
        [throwEvent('back', on.compensation()), endEvent('f')],
      )
        .replace('id="b" sourceRef="sub" targetRef="e"', 'id="b" sourceRef="sub" targetRef="back"')
        .replace('</bpmn:process>', '<bpmn:sequenceFlow id="c" sourceRef="back" targetRef="f"/></bpmn:process>')
        .replace('<bpmn:endEvent id="e" ></bpmn:endEvent>', '')
        .replace('<bpmn:endEvent id="e"></bpmn:endEvent>', ''),
      outcome: { history: 's sub is book ie back sub undo_book unbook f' },
    },
    {
      shows: 'ad-hoc, begins what its collection names',
      section: AD_HOC,
      files: adHoc({ activeElements: '=wanted' }),
      variables: { wanted: ['write', 'call'] },
      play: [act.completeJob('call'), act.completeJob('write')],
      outcome: { history: 's sub write call e' },
    },
    {
      shows: 'ad-hoc, sequential',
      section: AD_HOC,
      files: adHoc({ activeElements: '=["write", "call"]', ordering: 'Sequential' }),
      play: [act.completeJob('write'), act.completeJob('call')],
      outcome: { history: 's sub write call e' },
    },
    {
      shows: 'ad-hoc, completion condition: the rest is canceled',
      section: AD_HOC,
      files: adHoc({ activeElements: '=["write", "call"]', until: '=enough' }),
      variables: { enough: false },
      play: [act.completeJob('write', { enough: true })],
      outcome: { history: 's sub write call~ e' },
    },
    {
      shows: 'ad-hoc, completion condition: the rest goes on to its end',
      section: AD_HOC,
      files: adHoc({ activeElements: '=["write", "call"]', until: '=enough', cancelRemainingInstances: false }),
      variables: { enough: false },
      play: [act.completeJob('write', { enough: true }), act.completeJob('call')],
      outcome: { history: 's sub write call e' },
    },
    {
      shows: 'ad-hoc, follows sequence flows inside',
      section: AD_HOC,
      files: adHoc({ activeElements: '=["call"]' }, ['i1: call -> write']),
      play: [act.completeJob('call'), act.completeJob('write')],
      outcome: { history: 's sub call write e' },
    },
    {
      shows: 'ad-hoc, begun from outside',
      section: AD_HOC,
      files: adHoc({}),
      play: [
        act.triggerAdHoc('sub', 'write'),
        act.triggerAdHoc('sub', 'write'),
        act.completeJob('write'),
        act.completeJob('write'),
      ],
      outcome: { history: 's sub write write e' },
    },
    {
      shows: 'ad-hoc, sequential, begun from outside',
      section: AD_HOC,
      files: adHoc({ activeElements: '=["write"]', ordering: 'Sequential', until: '=enough' }),
      variables: { enough: false },
      play: [act.completeJob('write'), act.triggerAdHoc('sub', 'call'), act.completeJob('call', { enough: true })],
      outcome: { history: 's sub write call e' },
    },
    {
      shows: 'ad-hoc, its completion condition holds by variables set from outside',
      section: AD_HOC,
      files: adHoc({ activeElements: '=["write", "call"]', until: '=enough' }),
      variables: { enough: false },
      play: [act.completeJob('write'), act.setAdHocVariables('sub', { enough: true })],
      outcome: { history: 's sub write call~ e', variables: { enough: false } },
    },
    {
      shows: 'ad-hoc, names an activity that does not exist: an incident',
      section: AD_HOC,
      files: adHoc({ activeElements: '=["sing"]' }),
      outcome: { status: 'RUNNING', history: 's sub?', incidents: ['sub FeelError'] },
    },
    {
      shows: 'ad-hoc with a job: its worker begins activities until it is done',
      section: AD_HOC,
      files: adHoc({ job: 'decide' }),
      play: [
        act.decide('sub', { activateElements: [{ elementId: 'write' }] }),
        act.completeJob('write'),
        act.decide('sub', { activateElements: [{ elementId: 'call' }] }),
        act.completeJob('call'),
        act.decide('sub', { isCompletionConditionFulfilled: true }),
      ],
      outcome: { history: 's sub sub#innerInstance write sub#innerInstance call e' },
    },
    {
      shows: 'ad-hoc with a job: the rest is canceled when it says so',
      section: AD_HOC,
      files: adHoc({ job: 'decide' }),
      play: [
        act.decide('sub', { activateElements: [{ elementId: 'write' }, { elementId: 'call' }] }),
        act.completeJob('write'),
        act.decide('sub', { isCompletionConditionFulfilled: true, isCancelRemainingInstances: true }),
      ],
      outcome: { history: 's sub sub#innerInstance sub#innerInstance~ write call~ e' },
    },
    {
      shows: 'ad-hoc with a job, collects one output of each activation',
      section: AD_HOC,
      files: adHoc({ job: 'decide', output: { collection: 'all', element: '=found' } }),
      play: [
        act.decide('sub', { activateElements: [{ elementId: 'write', variables: { found: null } }] }),
        act.completeJob('write', { found: 7 }),
        act.decide('sub', { isCompletionConditionFulfilled: true }),
      ],
      outcome: { history: 's sub sub#innerInstance write e', variables: { all: [7] } },
    },
  ],
};
