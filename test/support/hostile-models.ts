/**
 * Models, values and moments that once stopped an instance, a worker or the host. Each plays on the engine alone and, in
 * chaos, next to ordinary load: it ends, has an incident or waits, and a cancel takes effect.
 */
import { act, type ConformanceCase } from '../conformance/case.js';
import { decision, dmn, literal } from '../dmn/support.js';
import {
  boundaryEvent,
  catchEvent,
  element,
  endEvent,
  eventSubProcess,
  exclusiveGateway,
  extensions,
  inclusiveGateway,
  multiInstance,
  on,
  parallelGateway,
  processModel,
  root,
  scriptTask,
  serviceTask,
  standardLoop,
  startEvent,
  subProcess,
  task,
  throwEvent,
} from '@perdure/testkit/models';
import { simpleModel } from './models.js';

/** Played like a case, whatever comes of it. */
export interface HostileModel extends Omit<ConformanceCase, 'shows' | 'section' | 'outcome'> {
  title: string;
}

const inARow = (...nodes: string[]) =>
  ['s', ...nodes]
    .slice(0, -1)
    .map((node, index) => `f${index}: ${node} -> ${nodes[index]}`)
    .join('\n');
const mapping = (inner: string) => extensions(`<zeebe:ioMapping>${inner}</zeebe:ioMapping>`);
const input = (source: string, target: string) =>
  `<zeebe:input source="${source.replaceAll('"', '&quot;')}" target="${target}"/>`;
const output = (source: string, target: string) =>
  `<zeebe:output source="${source.replaceAll('"', '&quot;')}" target="${target}"/>`;
const call = (process: string, inner = '') =>
  `<bpmn:callActivity id="call">${extensions([`<zeebe:calledElement processId="${process.replaceAll('"', '&quot;')}" propagateAllChildVariables="true"/>`, inner])}</bpmn:callActivity>`;
const rule = (id: string) =>
  `<bpmn:businessRuleTask id="rule">${extensions(`<zeebe:calledDecision decisionId="${id.replaceAll('"', '&quot;')}" resultVariable="decided"/>`)}</bpmn:businessRuleTask>`;
const receive = (id: string, ref: string, children = '') =>
  `<bpmn:receiveTask id="${id}" messageRef="${ref}">${children}</bpmn:receiveTask>`;

const NUL = String.raw`"a\u0000b"`;
const SURROGATE = String.raw`"\uD800"`;
const BIG_MESSAGE = root.message('big');
const FOUR_TIMES = '=for i in 1..4 return s';
const large = (characters: number, character = 'x') => character.repeat(characters);

const throwsBig = simpleModel(
  [throwEvent('tell', [mapping(input(FOUR_TIMES, 'load')), on.message('big')]), endEvent('e')],
  inARow('tell', 'e'),
  BIG_MESSAGE,
);
const hearsBig = processModel(
  'q',
  [startEvent('qs'), catchEvent('hear', on.message('big')), serviceTask('qwork')],
  ['qa: qs -> hear', 'qb: hear -> qwork'],
  BIG_MESSAGE,
);
const startedByBig = processModel(
  'q',
  [startEvent('qs', on.message('big')), serviceTask('qwork')],
  ['qa: qs -> qwork'],
  BIG_MESSAGE,
);

/** Each sets what the next one waits for. */
const chase = (end: (from: number, to: number) => string) =>
  [
    [1, 2],
    [2, 3],
    [3, 1],
  ]
    .map(([from, to]) => end(from!, to!))
    .join('');
const chasingBoundaries = chase((from, to) =>
  boundaryEvent(`when${from}`, 'work', [on.condition(`=x = ${from}`), mapping(output(`=${to}`, 'x'))], {
    interrupting: false,
  }),
);
const chasingSubProcesses = chase((from, to) =>
  eventSubProcess(
    `when${from}`,
    [
      startEvent(`is${from}`, on.condition(`=x = ${from}`), { interrupting: false }),
      scriptTask(`set${from}`, `=${to}`, 'x'),
    ],
    [`w${from}: is${from} -> set${from}`],
  ),
);

const records = (count: number) => Array.from({ length: count }, (_, amount) => ({ amount }));
const eachScript = (collection: string, expression: string) =>
  scriptTask('each', expression, 'found', { loop: multiInstance(collection) });

export const hostileModels: readonly HostileModel[] = hostileModelsOf(9000);

/** @param size of what takes computing: 9,000 records, or fewer where there is less time */
export function hostileModelsOf(size: number): HostileModel[] {
  return [
    // More computing than a workflow task has time for
    {
      title: 'a multi-instance script over thousands of records that looks at all of them',
      files: simpleModel([eachScript('=items', '=count(items[item.amount > 10])'), endEvent('e')], inARow('each', 'e')),
      variables: { items: records(size) },
    },
    {
      title: 'a multi-instance script of hundreds that matches a pattern in 20 KB',
      files: simpleModel(
        [eachScript(`=for i in 1..${Math.floor(size / 9)} return i`, '=matches(text, "(a|b|c)*d$")'), endEvent('e')],
        inARow('each', 'e'),
      ),
      variables: { text: large(20_000, 'a') },
    },
    {
      title: 'a multi-instance sub-process whose conditions all look at all records',
      files: simpleModel(
        [
          subProcess(
            'each',
            [
              multiInstance('=items'),
              startEvent('es'),
              catchEvent('ew', on.condition('=count(items[item.amount > limit]) > 9000')),
            ],
            ['ef: es -> ew'],
          ),
        ],
        inARow('each'),
      ),
      variables: { items: records(Math.floor(size / 3)), limit: 0 },
      play: [act.setVariables({ limit: 1 })],
    },
    {
      title: 'a gateway with 200 flows whose conditions each use a whole budget of FEEL',
      files: simpleModel(
        [inclusiveGateway('many', { default: 'rest' }), endEvent('e')],
        [
          'f: s -> many',
          'rest: many -> e',
          ...Array.from(
            { length: 200 },
            (_, index) => `c${index}: many -> e =count(for i in 1..60000 return i * ${index}) < 0`,
          ),
        ],
      ),
    },
    // Payloads that the engine makes
    {
      title: 'a message of 3.2 MB that FEEL has made, to an instance that waits',
      files: [hearsBig, throwsBig],
      startsItself: true,
      play: [act.start('q'), act.start('p', { s: large(800_000) })],
    },
    {
      title: 'a message of 3.2 MB that starts a process',
      files: [startedByBig, throwsBig],
      variables: { s: large(800_000) },
    },
    {
      title: 'a signal of 3.2 MB',
      files: [
        simpleModel(
          [throwEvent('tell', [mapping(input(FOUR_TIMES, 'load')), on.signal('all')]), endEvent('e')],
          inARow('tell', 'e'),
          root.signal('all'),
        ),
        processModel(
          'q',
          [startEvent('qs'), catchEvent('hear', on.signal('all'))],
          ['qa: qs -> hear'],
          root.signal('all'),
        ),
      ],
      startsItself: true,
      play: [act.start('q'), act.start('p', { s: large(800_000) })],
    },
    {
      title: 'a called process with a result of 3.6 MB',
      files: [
        processModel(
          'q',
          [startEvent('qs'), scriptTask('grow', FOUR_TIMES, 'grown'), endEvent('qe')],
          ['qa: qs -> grow', 'qb: grow -> qe'],
        ),
        simpleModel([call('q'), endEvent('e')], inARow('call', 'e')),
      ],
      variables: { s: large(300_000, '\u20ac') },
    },
    {
      title: 'a call whose inputs take 3.2 MB',
      files: [
        processModel('q', [startEvent('qs'), serviceTask('qwork')], ['qa: qs -> qwork']),
        simpleModel(
          [call('q', `<zeebe:ioMapping>${input(FOUR_TIMES, 'load')}</zeebe:ioMapping>`), endEvent('e')],
          inARow('call', 'e'),
        ),
      ],
      variables: { s: large(800_000) },
    },
    {
      title: 'an escalation with variables of 3.2 MB to the caller',
      files: [
        processModel(
          'q',
          [
            startEvent('qs'),
            throwEvent('up', [mapping(input(FOUR_TIMES, 'load')), on.escalation('up_code')]),
            serviceTask('qwork'),
          ],
          ['qa: qs -> up', 'qb: up -> qwork'],
          root.escalation('up_code'),
        ),
        simpleModel(
          [
            call('q'),
            boundaryEvent('caught', 'call', on.escalation('up_code'), { interrupting: false }),
            endEvent('e'),
            endEvent('f'),
          ],
          [inARow('call', 'e'), 'g: caught -> f'],
          root.escalation('up_code'),
        ),
      ],
      variables: { s: large(300_000) },
    },
    {
      title: 'a decision with a result of 3.2 MB',
      files: simpleModel([rule('grow'), serviceTask('work')], inARow('rule', 'work')),
      decisions: dmn(decision('grow', literal('for i in 1..4 return s'))),
      variables: { s: large(700_000) },
    },
    {
      title: 'a decision whose result cannot be stored',
      files: simpleModel([rule('nul'), serviceTask('work')], inARow('rule', 'work')),
      decisions: dmn(decision('nul', literal(NUL))),
    },
    {
      title: 'output mappings that multiply what is there, again and again',
      files: simpleModel(
        [
          element('task', { id: 'grow' }, mapping(output('=concatenate(l, l)', 'l'))),
          exclusiveGateway('again', { default: 'out' }),
          endEvent('e'),
        ],
        ['a: s -> grow', 'b: grow -> again', 'c: again -> grow =count(l) < 100000000', 'out: again -> e'],
      ),
      variables: { l: [large(100)] },
    },
    {
      title: 'sixty messages of 900 KB that come during a pause',
      files: simpleModel(
        [receive('hear', 'big', multiInstance('=for i in 1..60 return i')), serviceTask('work')],
        inARow('hear', 'work'),
        BIG_MESSAGE,
      ),
      play: [
        act.duringPause(
          ...Array.from({ length: 60 }, (_, index) => act.message('big', undefined, { text: large(900_000), index })),
        ),
      ],
    },
    // Models that never come to rest
    {
      title: 'three conditional boundary events that trigger each other',
      files: simpleModel([serviceTask('work'), chasingBoundaries], inARow('work')),
      variables: { x: 0 },
      play: [act.setVariables({ x: 1 })],
    },
    {
      title: 'three conditional event sub-processes that trigger each other',
      files: simpleModel([serviceTask('work'), chasingSubProcesses], inARow('work')),
      variables: { x: 0 },
      play: [act.setVariables({ x: 1 })],
    },
    {
      title: 'a loop without a wait',
      files: simpleModel(
        [exclusiveGateway('merge'), scriptTask('count', '=x + 1', 'x')],
        ['a: s -> merge', 'b: merge -> count', 'c: count -> merge'],
      ),
      variables: { x: 0 },
    },
    {
      title: 'a loop without a wait that writes 100 KB a round',
      files: simpleModel(
        [exclusiveGateway('merge'), scriptTask('write', '=text + string(random number()*0)', 'copy')],
        ['a: s -> merge', 'b: merge -> write', 'c: write -> merge'],
      ),
      variables: { text: large(100_000) },
    },
    {
      title: 'an escalation event sub-process that throws the escalation it catches',
      files: simpleModel(
        [
          throwEvent('first', on.escalation('up')),
          serviceTask('work'),
          eventSubProcess(
            'catch',
            [
              startEvent('caught', on.escalation('up'), { interrupting: false }),
              throwEvent('again', on.escalation('up')),
            ],
            ['c: caught -> again'],
          ),
        ],
        inARow('first', 'work'),
        root.escalation('up'),
      ),
    },
    {
      title: 'a fork that doubles its tokens in a loop',
      files: simpleModel(
        [exclusiveGateway('merge'), parallelGateway('fork')],
        ['a: s -> merge', 'b: merge -> fork', 'c: fork -> merge', 'd: fork -> merge'],
      ),
    },
    { title: 'a process that calls itself', files: simpleModel([call('p')], inARow('call')) },
    {
      title: 'a standard loop that ends in the very move in which the budget may',
      files: simpleModel(
        [
          task('round', { loop: standardLoop({ maximum: 9993 }) }),
          inclusiveGateway('fork'),
          task('left'),
          task('right'),
          inclusiveGateway('join'),
          endEvent('e'),
        ],
        [
          'a: s -> round',
          'b: round -> fork',
          'c: fork -> left =true',
          'd: fork -> right =true',
          'f: left -> join',
          'g: right -> join',
          'h: join -> e',
        ],
      ),
    },
    {
      title: 'a cycle that began in the past and ticks every second',
      files: simpleModel(
        [
          serviceTask('work'),
          boundaryEvent('tick', 'work', on.cycle('R/2020-01-01T00:00:00Z/PT1S'), { interrupting: false }),
          serviceTask('late'),
        ],
        [inARow('work'), 't: tick -> late'],
      ),
    },
    // Values that cannot be stored or shown
    ...[NUL, SURROGATE].flatMap((text): HostileModel[] => [
      {
        title: `the text ${text} as a variable`,
        files: simpleModel([scriptTask('spoil', `=${text}`, 'spoilt'), serviceTask('work')], inARow('spoil', 'work')),
      },
      {
        title: `the text ${text} as a member's name`,
        files: simpleModel(
          [scriptTask('spoil', `=context put({}, ${text}, 1)`, 'spoilt'), serviceTask('work')],
          inARow('spoil', 'work'),
        ),
      },
      {
        title: `the text ${text} in a message that comes too late`,
        files: [
          simpleModel(
            [throwEvent('tell', [mapping(input(`=${text}`, 'load')), on.message('big')]), endEvent('e')],
            inARow('tell', 'e'),
            BIG_MESSAGE,
          ),
          hearsBig,
        ],
        startsItself: true,
        play: [act.start('q'), act.duringPauseOf('q', act.start('p'), act.cancelOf('q'))],
      },
      {
        title: `the text ${text} as the name of a message and of a signal`,
        files: simpleModel(
          [
            throwEvent('tell', on.message('named')),
            throwEvent('shout', on.signal('shouted')),
            catchEvent('hear', on.message('named')),
          ],
          inARow('tell', 'shout', 'hear'),
          [
            `<bpmn:message id="named" name="=${text.replaceAll('"', '&quot;')}"/>`,
            `<bpmn:signal id="shouted" name="=${text.replaceAll('"', '&quot;')}"/>`,
          ],
        ),
      },
      {
        title: `the text ${text} as the id of a called process`,
        files: simpleModel([call(`=${text}`), endEvent('e')], inARow('call', 'e')),
      },
      {
        title: `the text ${text} as the id of a decision`,
        files: simpleModel([rule(`=${text}`), endEvent('e')], inARow('rule', 'e')),
      },
      {
        title: `the text ${text} as the type of a job`,
        files: simpleModel([serviceTask('work', { type: `=${text}` }), endEvent('e')], inARow('work', 'e')),
      },
      {
        title: `the text ${text} as a correlation key`,
        files: simpleModel(
          [catchEvent('hear', on.message('keyed')), endEvent('e')],
          inARow('hear', 'e'),
          root.message('keyed', `=${text}`),
        ),
      },
    ]),
    // Times that no date can hold
    ...['P999999Y', 'P99999999999D', 'PT999999999999999999H'].map((duration): HostileModel => ({
      title: `a timer of ${duration}`,
      files: simpleModel([catchEvent('rest', on.timer('=wait')), endEvent('e')], inARow('rest', 'e')),
      variables: { wait: duration },
    })),
    {
      title: 'a cycle of P999999Y',
      files: simpleModel(
        [
          serviceTask('work'),
          boundaryEvent('tick', 'work', on.cycle('=cycle'), { interrupting: false }),
          endEvent('e'),
        ],
        [inARow('work'), 't: tick -> e'],
      ),
      variables: { cycle: 'R/P999999Y' },
    },
    // Scopes that end while they begin
    {
      title: 'a process without a start event, whose first element completes at once',
      files: processModel('p', [task('quick'), serviceTask('slow')], []),
      play: [act.completeJob('slow')],
    },
    {
      title: 'a sub-process without a start event, whose job fails after its first element has completed',
      files: simpleModel(
        [subProcess('box', [task('quick'), serviceTask('slow')], []), serviceTask('then')],
        inARow('box', 'then'),
      ),
      play: [act.failJob('slow', 'E')],
    },
    {
      title: 'a sub-process without a start event with a throw event and an event sub-process that ends it',
      files: simpleModel(
        [
          subProcess(
            'box',
            [
              throwEvent('up', on.escalation('up_code')),
              serviceTask('slow'),
              task('quick'),
              eventSubProcess(
                'stop',
                [startEvent('stopping', on.escalation('up_code')), endEvent('stopped')],
                ['z: stopping -> stopped'],
              ),
            ],
            [],
          ),
          serviceTask('then'),
        ],
        inARow('box', 'then'),
        root.escalation('up_code'),
      ),
    },
  ];
}
