/** An expression that exceeds FEEL's budget is an incident at its element, anywhere in a model. */
import { describe, expect, it } from 'vitest';
import { MemoryHost } from '../../../packages/testkit/memory-host.js';
import {
  catchEvent,
  endEvent,
  exclusiveGateway,
  multiInstance,
  on,
  root,
  scriptTask,
  serviceTask,
  task,
} from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';

const BOMB = 'some i in 1..100000 satisfies some j in 1..100000 satisfies i * j &lt; 0';
const WRITTEN = BOMB.replace('&lt;', '<');
const inARow = (node: string) => [`a: s -> ${node}`, `b: ${node} -> e`];

const PLACES: [string, string, string][] = [
  ['a script', 'x', simpleModel([scriptTask('x', `=${WRITTEN}`, 'y'), endEvent('e')], inARow('x'))],
  [
    'the condition of a flow',
    'x',
    simpleModel(
      [exclusiveGateway('x', { default: 'b' }), endEvent('e'), endEvent('f')],
      ['a: s -> x', 'b: x -> e', `c: x -> f =${WRITTEN}`],
    ),
  ],
  [
    'an input mapping',
    'x',
    simpleModel(
      [
        serviceTask('x', {
          type: 'work',
          extensions: `<zeebe:ioMapping><zeebe:input source="=${BOMB}" target="y"/></zeebe:ioMapping>`,
        }),
        endEvent('e'),
      ],
      inARow('x'),
    ),
  ],
  [
    'an output mapping',
    'x',
    simpleModel(
      [
        task('x', { extensions: `<zeebe:ioMapping><zeebe:output source="=${BOMB}" target="y"/></zeebe:ioMapping>` }),
        endEvent('e'),
      ],
      inARow('x'),
    ),
  ],
  [
    'the type of a job',
    'x',
    simpleModel([serviceTask('x', { type: `=string(${WRITTEN})` }), endEvent('e')], inARow('x')),
  ],
  [
    'a timer',
    'x',
    simpleModel([catchEvent('x', on.timer(`=if ${WRITTEN} then "PT1S" else "PT2S"`)), endEvent('e')], inARow('x')),
  ],
  [
    'a correlation key',
    'x',
    simpleModel(
      [catchEvent('x', on.message('m')), endEvent('e')],
      inARow('x'),
      root.message('m', `=string(${WRITTEN})`),
    ),
  ],
  [
    'a condition that is waited for',
    'x',
    simpleModel([catchEvent('x', on.condition(`=${WRITTEN}`)), endEvent('e')], inARow('x')),
  ],
  [
    'the collection of a multi-instance activity',
    'x',
    simpleModel(
      [serviceTask('x', { type: 'work', loop: multiInstance('=for i in 1..1000000000 return i') }), endEvent('e')],
      inARow('x'),
    ),
  ],
];

describe('an expression that would run forever', () => {
  it.each(PLACES)('in %s is an incident there, and other instances run', async (_place, node, model) => {
    const host = await MemoryHost.deploy(
      model,
      simpleModel([task('other'), endEvent('e')], inARow('other')).replace('id="p"', 'id="harmless"'),
    );
    const instance = host.start('p');
    expect(host.incidents(instance)).toMatchObject([{ node, message: expect.stringMatching(/evaluation limit/) }]);
    expect(instance.state.status).toBe('RUNNING');
    expect(host.start('harmless').state.status).toBe('COMPLETED');
  });
});
