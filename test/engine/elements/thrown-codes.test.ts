/** Codes of errors and escalations: expressions where they are thrown, fixed where they are caught. */
import { describe, expect, it } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { MemoryHost } from '../../../packages/testkit/memory-host.js';
import {
  boundaryEvent,
  endEvent,
  on,
  root,
  startEvent,
  subProcess,
  throwEvent,
  type Xml,
} from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';

const ROOTS = [
  root.error('broken'),
  root.escalation('late'),
  '<bpmn:error id="dynamicError" errorCode="=code"/>',
  '<bpmn:escalation id="dynamicEscalation" escalationCode="=code"/>',
];
const caught = (inside: Xml, flows: Xml, on: string) =>
  simpleModel(
    [
      subProcess('sub', [startEvent('is'), inside], flows),
      boundaryEvent('outer', 'sub', on),
      endEvent('e'),
      endEvent('f'),
    ],
    ['a: s -> sub', 'b: sub -> e', 'c: outer -> f'],
    ROOTS,
  );

const kinds = [
  [
    'error end event',
    caught(endEvent('throw', on.error('dynamicError')), 'i: is -> throw', on.error('broken')),
    'broken',
  ],
  [
    'escalation end event',
    caught(endEvent('throw', on.escalation('dynamicEscalation')), 'i: is -> throw', on.escalation('late')),
    'late',
  ],
  [
    'escalation throw event',
    caught(
      [throwEvent('throw', on.escalation('dynamicEscalation')), endEvent('ie')],
      ['i: is -> throw', 'j: throw -> ie'],
      on.escalation('late'),
    ),
    'late',
  ],
] as const;

describe.each(kinds)('the code of an %s', (_, model, code) => {
  it('may be an expression, evaluated when it is thrown', async () => {
    const host = await MemoryHost.deploy(model);
    const instance = host.start('p', { code });
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.completed(instance)).toContain('f');
  });

  it.each<Record<string, string | number | null>>([{}, { code: 5 }, { code: null }, { code: '' }])(
    'that its expression does not give is an incident at the event: %j',
    async (variables) => {
      const host = await MemoryHost.deploy(model);
      const instance = host.start('p', variables);
      expect(host.incidents(instance)).toMatchObject([{ node: 'throw', errorType: 'FeelError' }]);
      host.resolve(instance, 'throw', { code });
      expect(host.completed(instance)).toContain('f');
    },
  );
});

describe('an expression as the code of an event that catches', () => {
  it.each([
    ['error', boundaryEvent('outer', 'sub', on.error('dynamicError'))],
    ['escalation', boundaryEvent('outer', 'sub', on.escalation('dynamicEscalation'))],
  ])('is refused for an %s', async (kind, event) => {
    const model = simpleModel(
      [subProcess('sub', [startEvent('is'), endEvent('ie')], ['i: is -> ie']), event, endEvent('e'), endEvent('f')],
      ['a: s -> sub', 'b: sub -> e', 'c: outer -> f'],
      ROOTS,
    );
    const { problems } = await compile(model);
    expect(problems).toContainEqual({
      severity: 'error',
      elementID: 'outer',
      message: `boundaryEvent outer needs a fixed ${kind} code, but has the expression "=code". Use a literal code, or omit it to catch every code.`,
    });
  });
});

describe('a code that is too long for an index', () => {
  it.each(kinds)('of an %s is an incident when it is thrown', async (_, model) => {
    const host = await MemoryHost.deploy(model);
    const instance = host.start('p', { code: 'x'.repeat(256) });
    expect(host.incidents(instance)).toMatchObject([{ errorType: 'FeelError', errorCode: 'TEXT_TOO_LONG' }]);
  });

  it.each([
    ['error', '<bpmn:error id="dynamicError" errorCode="'],
    ['escalation', '<bpmn:escalation id="dynamicEscalation" escalationCode="'],
  ])('is a problem of the model if it is a literal %s code', async (_, begin) => {
    const [, model] = begin.includes('errorCode') ? kinds[0] : kinds[1];
    const long = model.replace(`${begin}=code`, `${begin}${'x'.repeat(256)}`);
    expect(long).not.toBe(model);
    const { problems } = await compile(long);
    expect(problems).toContainEqual(
      expect.objectContaining({ severity: 'error', message: expect.stringContaining('at most 255 characters') }),
    );
  });
});
