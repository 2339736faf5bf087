import { describe, expect, it } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { redactFact } from '@perdure/engine/redaction/facts.js';
import { endEvent, processModel, serviceTask, startEvent, userTask } from '@perdure/testkit/models';
import { MemoryHost } from '../../../packages/testkit/memory-host.js';

const limit = (key: string) => `<perdure:limit xmlns:perdure="urn:perdure:bpmn" key="${key}"/>`;
const model = (task: string) => processModel('p', [startEvent('s'), task, endEvent('e')], ['s -> work -> e']);
const workOf = (extensions: string) => model(serviceTask('work', { extensions }));

async function keyIn(xml: string, variables = {}): Promise<unknown> {
  const host = await MemoryHost.deploy(xml);
  const instance = host.start('p', variables);
  const created = host.facts(instance).find(({ kind }) => kind === 'JOB_CREATED');
  return created?.kind === 'JOB_CREATED' ? created.limitKey : 'no job';
}

async function errorsOf(xml: string): Promise<string[]> {
  const { problems } = await compile(xml);
  return problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
}

describe('the limit key of a job', () => {
  it.each([
    ['=customer.id', 'c-1'],
    ['=amount', 1],
    ['=string(amount)', '1'],
    ['=amount &gt; 0', true],
    ['=null', undefined],
    ['=missing', undefined],
    ['everyone', 'everyone'],
  ])('is the value of %s', async (given, key) => {
    const found = keyIn(workOf(limit(given)), { customer: { id: 'c-1' }, amount: 1, missing: null });
    expect(await found).toBe(key);
  });

  it('sees the input mappings of the task', async () => {
    const mapped = `<zeebe:ioMapping><zeebe:input source="=customer.id" target="id"/></zeebe:ioMapping>${limit('=id')}`;
    expect(await keyIn(workOf(mapped), { customer: { id: 'c-2' } })).toBe('c-2');
  });

  it('is also that of a send task', async () => {
    expect(await keyIn(workOf(limit('=id')).replaceAll('serviceTask', 'sendTask'), { id: 7 })).toBe(7);
  });

  it.each([['x'.repeat(201)], [[1]], [{ id: 1 }]])(
    'makes an incident and no job of %j, and is evaluated again when that is resolved',
    async (given) => {
      const host = await MemoryHost.deploy(workOf(limit('=given')));
      const instance = host.start('p', { given });
      expect(host.incidents(instance)).toMatchObject([{ node: 'work', errorType: 'FeelError' }]);
      expect(host.waiting(instance)).toEqual([]);
      host.resolve(instance, 'work', { given: 'x'.repeat(200) });
      expect(host.waiting(instance)).toEqual(['job work']);
    },
  );

  it('is removed when variables are redacted', () => {
    const fact = { kind: 'JOB_CREATED', job: 3, element: 2, node: 'work', taskType: 't', retries: 3 } as const;
    expect(redactFact({ ...fact, limitKey: 'c-1' }, new Set(['any']))).toEqual(fact);
  });
});

describe('a model is refused', () => {
  it.each([
    ['two limits', workOf(limit('=a') + limit('=b')), /can be given once/],
    ['a limit without a key', workOf(limit('')), /needs a key/],
    ['an unknown attribute', workOf(limit('=a').replace('key=', 'max="1" key=')), /has no attribute max/],
    ['an unknown element', workOf(limit('=a').replace('perdure:limit', 'perdure:quota')), /is not known/],
    [
      'a limit at a user task',
      model(userTask('work', { extensions: limit('=a') })),
      /is for serviceTask, sendTask, adHocSubProcess/,
    ],
    ['a key that is too long', workOf(limit('x'.repeat(201))), /at most 200 characters/],
    ['a key that cannot be parsed', workOf(limit('=(')), /limit key/],
  ])('with %s', async (_what, xml, message) => {
    expect((await errorsOf(xml)).join(' ')).toMatch(message);
  });

  it('not for a limit of another tool', async () => {
    expect(await errorsOf(workOf(limit('=a').replace('urn:perdure:bpmn', 'urn:other')))).toEqual([]);
  });
});
