/**
 * Ten processes in the dialect of Camunda 7, which together have every wait state, and scripts that bring instances there and
 * to their ends. `npm run import-proof` plays the scripts in both engines.
 */
import { convertModel } from '@perdure/convert';
import { sequenceFlows } from '@perdure/testkit/models';

/** Acts on whatever waits at a node. */
export interface Step {
  do: 'task' | 'job' | 'timer' | 'message' | 'signal' | 'incident' | 'set';
  /** The node, or the name of the message or signal. */
  at: string;
  /** Set by it. */
  variables?: Readonly<Record<string, unknown>>;
  /** How many of those that wait there; absent: all. */
  times?: number;
  /** Instances by their number; absent: all. A signal reaches all. */
  of?: (number: number) => boolean;
  /** A BPMN error instead of a result. */
  errorCode?: string;
}

/** Done to an instance by hand before it moves. */
export type ByHand = 'assignment' | 'failure' | 'exhaustion' | 'lock' | 'localVariable';

export interface Variant {
  steps: readonly Step[];
  byHand?: ByHand;
}

export interface MovingProcess {
  key: string;
  /** Called processes first. */
  models: readonly string[];
  variables(number: number): Record<string, { value: unknown; type: string }>;
  /** How far instances come before they move; each instance plays one. */
  before: readonly Variant[];
  /** To the end, in both engines. */
  after: readonly Step[];
  /** Job types that the conversion makes of Java code, with what their workers set. */
  code?: Readonly<Record<string, (variables: Record<string, unknown>) => Record<string, unknown>>>;
}

/** Its models as a user has them after `perdure convert`, with correlation keys for the messages. */
export function modelsHere({ models }: MovingProcess): string[] {
  return models.map((xml) =>
    convertModel(xml).xml.replaceAll(
      /<bpmn:message id="(\w+)" name="\w+"\s*\/>/g,
      '<bpmn:message id="$1" name="$1"><bpmn:extensionElements><zeebe:subscription correlationKey="=orderID"/></bpmn:extensionElements></bpmn:message>',
    ),
  );
}

export function variantOf({ before }: MovingProcess, number: number): Variant {
  return before[number % before.length]!;
}

const node = (kind: string, id: string, content = '', attributes = '') =>
  `<bpmn:${kind} id="${id}" ${attributes}>${content}</bpmn:${kind}>`;
const start = (id: string, definition = '', attributes = '') => node('startEvent', id, definition, attributes);
const end = (id: string) => node('endEvent', id);
const user = (id: string, content = '') => node('userTask', id, content, 'camunda:candidateGroups="clerks"');
const external = (id: string) => node('serviceTask', id, '', `camunda:type="external" camunda:topic="${id}"`);
const catching = (id: string, definition: string) => node('intermediateCatchEvent', id, definition);
const fork = (id: string) => node('parallelGateway', id);
const boundary = (id: string, host: string, definition: string, isInterrupting: boolean) =>
  node('boundaryEvent', id, definition, `attachedToRef="${host}" cancelActivity="${isInterrupting}"`);

const formal = (tag: string, text: string) => `<bpmn:${tag} xsi:type="bpmn:tFormalExpression">${text}</bpmn:${tag}>`;
const timer = (duration: string) =>
  `<bpmn:timerEventDefinition>${formal('timeDuration', duration)}</bpmn:timerEventDefinition>`;
const message = (name: string) => `<bpmn:messageEventDefinition messageRef="${name}"/>`;
const signal = (name: string) => `<bpmn:signalEventDefinition signalRef="${name}"/>`;
const error = (code: string) => `<bpmn:errorEventDefinition errorRef="${code}"/>`;
const condition = (text: string) =>
  `<bpmn:conditionalEventDefinition>${formal('condition', text)}</bpmn:conditionalEventDefinition>`;
const loop = (count: number, isSequential: boolean) =>
  `<bpmn:multiInstanceLoopCharacteristics isSequential="${isSequential}">${formal('loopCardinality', String(count))}</bpmn:multiInstanceLoopCharacteristics>`;

function around(
  roots: readonly string[],
): (key: string, elements: readonly string[], flows: readonly string[]) => string {
  return (key, elements, flows) => `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xmlns:camunda="http://camunda.org/schema/1.0/bpmn" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="d-${key}" targetNamespace="urn:moving">
${roots.join('\n')}
<bpmn:process id="${key}" isExecutable="true" camunda:historyTimeToLive="P30D">
${elements.join('\n')}
${sequenceFlows([...flows])}
</bpmn:process>
</bpmn:definitions>
`;
}

const model = around([]);
const rootMessage = (name: string) => `<bpmn:message id="${name}" name="${name}"/>`;

const text = (value: string) => ({ value, type: 'String' });
const orderOf = (key: string, number: number) => ({ orderID: text(`${key}-${number}`) });

const done = (at: string, more: Partial<Step> = {}): Step => ({
  do: 'task',
  at,
  variables: { [`${at}By`]: 'ann' },
  ...more,
});
const job = (at: string, more: Partial<Step> = {}): Step => ({
  do: 'job',
  at,
  variables: { [`${at}Done`]: true },
  ...more,
});
const fired = (at: string, more: Partial<Step> = {}): Step => ({ do: 'timer', at, ...more });
const told = (at: string, more: Partial<Step> = {}): Step => ({ do: 'message', at, ...more });
const every = (divisor: number, rest: number) => (number: number) => number % divisor === rest;

/** User tasks with everything that people change by hand, a timer next to one, and variables of each type. */
const approval: MovingProcess = {
  key: 'moving-approval',
  models: [
    model(
      'moving-approval',
      [
        start('begin'),
        user('approve'),
        boundary('remind', 'approve', timer('PT24H'), false),
        user('chase'),
        end('chased'),
        external('confirm'),
        end('confirmed'),
      ],
      ['begin -> approve -> confirm -> confirmed', 'remind -> chase -> chased'],
    ),
  ],
  variables: (number) => ({
    ...orderOf('approval', number),
    total: { value: number, type: 'Integer' },
    weight: { value: number / 8, type: 'Double' },
    large: { value: 9_007_199_254_740_991 - number, type: 'Long' },
    isUrgent: { value: number % 2 === 0, type: 'Boolean' },
    nothing: { value: null, type: 'Null' },
    placedAt: { value: '2026-01-05T08:00:00.000+0000', type: 'Date' },
  }),
  before: [
    { steps: [], byHand: 'assignment' },
    { steps: [fired('remind')] },
    { steps: [done('approve')] },
    { steps: [fired('remind'), done('approve')] },
  ],
  after: [fired('remind'), done('approve'), done('chase'), job('confirm')],
};

/** External tasks: untouched, failed, without attempts, and locked. */
const booking: MovingProcess = {
  key: 'moving-booking',
  models: [
    around(['<bpmn:error id="full" name="full" errorCode="full"/>'])(
      'moving-booking',
      [
        start('begin'),
        external('book'),
        boundary('refused', 'book', error('full'), true),
        user('apologize'),
        end('refusedEnd'),
        external('ship'),
        end('shipped'),
      ],
      ['begin -> book -> ship -> shipped', 'refused -> apologize -> refusedEnd'],
    ),
  ],
  variables: (number) => ({ ...orderOf('booking', number), isFull: { value: number % 5 === 0, type: 'Boolean' } }),
  before: [
    { steps: [] },
    { steps: [], byHand: 'failure' },
    { steps: [], byHand: 'exhaustion' },
    { steps: [], byHand: 'lock' },
    { steps: [job('book', { of: (number) => number % 5 > 0 })] },
  ],
  after: [
    job('book', { of: every(5, 0), errorCode: 'full', variables: {} }),
    job('book', { of: (number) => number % 5 > 0 }),
    done('apologize'),
    job('ship'),
  ],
};

/** Catch events next to each other, and a receive task. */
const waiting: MovingProcess = {
  key: 'moving-waiting',
  models: [
    around([rootMessage('reviewed'), '<bpmn:signal id="opened" name="opened"/>'])(
      'moving-waiting',
      [
        start('begin'),
        fork('split'),
        catching('hold', timer('PT48H')),
        node('receiveTask', 'review', '', 'messageRef="reviewed"'),
        catching('open', signal('opened')),
        fork('meet'),
        end('over'),
      ],
      ['begin -> split', 'split -> hold -> meet', 'split -> review -> meet', 'split -> open -> meet', 'meet -> over'],
    ),
  ],
  variables: (number) => orderOf('waiting', number),
  before: [
    { steps: [] },
    { steps: [fired('hold')] },
    { steps: [told('reviewed')] },
    { steps: [fired('hold'), told('reviewed')] },
  ],
  after: [fired('hold'), told('reviewed'), { do: 'signal', at: 'opened' }],
};

/** An event-based gateway. */
const payment: MovingProcess = {
  key: 'moving-payment',
  models: [
    around([rootMessage('paid'), '<bpmn:signal id="closed" name="closed"/>'])(
      'moving-payment',
      [
        start('begin'),
        node('eventBasedGateway', 'either'),
        catching('pay', message('paid')),
        catching('close', signal('closed')),
        catching('overdue', timer('PT72H')),
        end('paidEnd'),
        end('closedEnd'),
        end('overdueEnd'),
      ],
      [
        'begin -> either',
        'either -> pay -> paidEnd',
        'either -> close -> closedEnd',
        'either -> overdue -> overdueEnd',
      ],
    ),
  ],
  variables: (number) => orderOf('payment', number),
  before: [{ steps: [] }],
  after: [told('paid', { of: every(3, 0) }), fired('overdue', { of: every(3, 1) }), { do: 'signal', at: 'closed' }],
};

/** A parallel multi-instance activity, partly done, with a boundary event around all of it. */
const signing: MovingProcess = {
  key: 'moving-signing',
  models: [
    around([rootMessage('withdrawn')])(
      'moving-signing',
      [
        start('begin'),
        user('sign', loop(3, false)),
        boundary('withdraw', 'sign', message('withdrawn'), true),
        end('withdrawnEnd'),
        external('file'),
        end('filed'),
      ],
      ['begin -> sign -> file -> filed', 'withdraw -> withdrawnEnd'],
    ),
  ],
  variables: (number) => orderOf('signing', number),
  before: [{ steps: [] }, { steps: [done('sign', { times: 1 })] }, { steps: [done('sign', { times: 2 })] }],
  after: [told('withdrawn', { of: every(4, 0) }), done('sign'), job('file')],
};

/** A sequential multi-instance sub-process, partly done. */
const repeating: MovingProcess = {
  key: 'moving-repeating',
  models: [
    model(
      'moving-repeating',
      [
        start('begin'),
        node(
          'subProcess',
          'rounds',
          [
            loop(3, true),
            start('roundBegin'),
            user('round'),
            external('note'),
            end('roundEnd'),
            sequenceFlows('roundBegin -> round -> note -> roundEnd'),
          ].join('\n'),
        ),
        end('over'),
      ],
      ['begin -> rounds -> over'],
    ),
  ],
  variables: (number) => orderOf('repeating', number),
  before: [
    { steps: [] },
    { steps: [done('round', { times: 1 })] },
    { steps: [done('round', { times: 1 }), job('note', { times: 1 })] },
    { steps: [1, 2].flatMap(() => [done('round', { times: 1 }), job('note', { times: 1 })]) },
  ],
  after: [1, 2, 3].flatMap(() => [done('round', { times: 1 }), job('note', { times: 1 })]),
};

/** A sub-process with local variables, boundary events, and an event sub-process. */
const packing: MovingProcess = {
  key: 'moving-packing',
  models: [
    around([rootMessage('stopped'), rootMessage('noted')])(
      'moving-packing',
      [
        start('begin'),
        node(
          'subProcess',
          'packing',
          [
            start('packingBegin'),
            user('pack'),
            end('packed'),
            node(
              'subProcess',
              'noting',
              [
                start('noteBegin', message('noted'), 'isInterrupting="false"'),
                user('note'),
                end('noteEnd'),
                sequenceFlows('noteBegin -> note -> noteEnd'),
              ].join('\n'),
              'triggeredByEvent="true"',
            ),
            sequenceFlows('packingBegin -> pack -> packed'),
          ].join('\n'),
        ),
        boundary('late', 'packing', timer('PT36H'), false),
        boundary('stop', 'packing', message('stopped'), true),
        end('lateEnd'),
        end('stopEnd'),
        end('over'),
      ],
      ['begin -> packing -> over', 'late -> lateEnd', 'stop -> stopEnd'],
    ),
  ],
  variables: (number) => orderOf('packing', number),
  before: [
    { steps: [], byHand: 'localVariable' },
    { steps: [told('noted')] },
    { steps: [fired('late')] },
    { steps: [told('noted'), fired('late')] },
    { steps: [told('noted'), done('note')] },
  ],
  after: [
    told('stopped', { of: every(3, 0) }),
    fired('late'),
    told('noted', { of: every(2, 0) }),
    done('note'),
    done('pack', { variables: { box: 'closed', packBy: 'ann' } }),
  ],
};

const inclusiveFlow = (id: string, target: string, text: string) =>
  node('sequenceFlow', id, formal('conditionExpression', text), `sourceRef="choose" targetRef="${target}"`);

/** Parallel and inclusive joins, partly arrived. */
const joining: MovingProcess = {
  key: 'moving-joining',
  models: [
    model(
      'moving-joining',
      [
        start('begin'),
        fork('split'),
        ...['first', 'second', 'third'].map((id) => user(id)),
        fork('meet'),
        node('inclusiveGateway', 'choose'),
        inclusiveFlow('toLarge', 'large', '${total &gt; 10}'),
        inclusiveFlow('toAny', 'any', '${total &gt;= 0}'),
        user('large'),
        user('any'),
        node('inclusiveGateway', 'gather'),
        end('over'),
      ],
      [
        'begin -> split',
        'split -> first -> meet',
        'split -> second -> meet',
        'split -> third -> meet',
        'meet -> choose',
        'large -> gather',
        'any -> gather',
        'gather -> over',
      ],
    ),
  ],
  variables: (number) => ({ ...orderOf('joining', number), total: { value: number, type: 'Integer' } }),
  before: [
    { steps: [] },
    { steps: [done('first')] },
    { steps: [done('first'), done('third')] },
    {
      steps: ['first', 'second', 'third', 'any'].map((at) =>
        done(at, at === 'any' ? { of: (number) => number > 10 } : {}),
      ),
    },
  ],
  after: ['first', 'second', 'third', 'large', 'any'].map((at) => done(at)),
};

const call = (id: string, called: string) =>
  node(
    'callActivity',
    id,
    '<bpmn:extensionElements><camunda:in variables="all"/><camunda:out source="arrived" target="arrived"/></bpmn:extensionElements>',
    `calledElement="${called}"`,
  );

/** Calls, three deep. */
const delivery: MovingProcess = {
  key: 'moving-delivery',
  models: [
    model(
      'moving-drive',
      [start('begin'), external('drive'), user('arrive'), end('over')],
      ['begin -> drive -> arrive -> over'],
    ),
    model(
      'moving-transport',
      [start('begin'), user('load'), call('driving', 'moving-drive'), end('over')],
      ['begin -> load -> driving -> over'],
    ),
    model(
      'moving-delivery',
      [start('begin'), call('transport', 'moving-transport'), user('receive'), end('over')],
      ['begin -> transport -> receive -> over'],
    ),
  ],
  variables: (number) => orderOf('delivery', number),
  before: [{ steps: [] }, { steps: [done('load')] }, { steps: [done('load'), job('drive')] }],
  after: [done('load'), job('drive'), done('arrive', { variables: { arrived: true } }), done('receive')],
};

/** A job of the engine itself that failed, a conditional event, and an event sub-process of the process. */
const charging: MovingProcess = {
  key: 'moving-charging',
  models: [
    around([rootMessage('asked')])(
      'moving-charging',
      [
        start('begin'),
        node(
          'serviceTask',
          'charge',
          '<bpmn:extensionElements><camunda:failedJobRetryTimeCycle>R1/PT1S</camunda:failedJobRetryTimeCycle></bpmn:extensionElements>',
          'camunda:asyncBefore="true" camunda:expression="${rate * 2}" camunda:resultVariable="charged"',
        ),
        catching('ready', condition('${isReady}')),
        end('over'),
        node(
          'subProcess',
          'asking',
          [
            start('askBegin', message('asked'), 'isInterrupting="false"'),
            user('answer'),
            end('answered'),
            sequenceFlows('askBegin -> answer -> answered'),
          ].join('\n'),
          'triggeredByEvent="true"',
        ),
      ],
      ['begin -> charge -> ready -> over'],
    ),
  ],
  variables: (number) => ({
    ...orderOf('charging', number),
    isReady: { value: false, type: 'Boolean' },
    ...(number % 3 === 1 && { rate: { value: 21, type: 'Integer' } }),
  }),
  before: [{ steps: [] }, { steps: [] }, { steps: [told('asked')] }],
  after: [
    told('asked', { of: every(2, 0) }),
    { do: 'incident', at: 'charge', variables: { rate: 21 } },
    done('answer'),
    { do: 'set', at: 'ready', variables: { isReady: true } },
  ],
  code: { rate: ({ rate }) => ({ charged: Number(rate) * 2 }) },
};

export const movingProcesses: readonly MovingProcess[] = [
  approval,
  booking,
  waiting,
  payment,
  signing,
  repeating,
  packing,
  joining,
  delivery,
  charging,
];
