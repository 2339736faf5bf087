import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ModelRefused, testProcess, type TestProcessOptions } from '@perdure/testkit';
import {
  callActivity,
  endEvent,
  processModel,
  scriptTask,
  sequenceFlow,
  sequenceModel,
  serviceTask,
  userTask,
} from '@perdure/testkit/models';

const folder = mkdtempSync(join(tmpdir(), 'perdure-testkit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function load(xml: string, options?: TestProcessOptions) {
  return testProcess(write('model.bpmn', xml), options);
}

const businessRuleTask =
  '<bpmn:businessRuleTask id="rate"><bpmn:extensionElements><zeebe:calledDecision decisionId="discount" resultVariable="discount" /></bpmn:extensionElements></bpmn:businessRuleTask>';
const discount = `<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="d" name="d" namespace="d">
  <decision id="discount" name="Discount"><variable name="Discount" /><literalExpression><text>if total > 100 then 10 else 0</text></literalExpression></decision>
</definitions>`;

it('a failed expectation shows the active nodes of the instance', async () => {
  const process = await load(
    sequenceModel('order', [serviceTask('reserve', { type: 'reserve-stock' }), userTask('approve')]),
  );
  const instance = process.start({ total: 7 });
  expect(() => instance.expectWaitingAt('approve')).toThrow(
    [
      'Expected to wait at approve, but',
      'order (i1) is RUNNING at 2026-01-01T00:00:00.000Z',
      '  waits at reserve for a job of type reserve-stock',
      '  variables: {"total":7}',
      '  completed: start',
    ].join('\n'),
  );
});

it.each<[string, (instance: ReturnType<Awaited<ReturnType<typeof load>>['start']>) => void, string]>([
  ['a job that is not there', (instance) => instance.job('approve'), 'Expected a job at approve, but'],
  ['a task that is not there', (instance) => instance.task('reserve'), 'Expected a user task at reserve, but'],
  [
    'a called instance that is not there',
    (instance) => instance.called('reserve'),
    'Expected a called instance at reserve, but',
  ],
  [
    'an incident that is not there',
    (instance) => instance.resolveIncident('reserve'),
    'Expected an incident at reserve, but',
  ],
  [
    'an incident',
    (instance) => instance.expectIncident('reserve', 'FeelError'),
    'Expected an incident FeelError at reserve, but',
  ],
  ['an end', (instance) => instance.expectCompleted(), 'Expected to have completed, but'],
  [
    'an order of elements',
    (instance) => instance.expectPassed('start', 'end'),
    'Expected end to have completed after start, but',
  ],
  [
    'a variable',
    (instance) => instance.expectVariables({ total: 8 }),
    'Expected the variable total to be 8, found 7, but',
  ],
  [
    'a variable that is not there',
    (instance) => instance.expectVariables({ rebate: null }),
    'Expected the variable rebate to be null, found none, but',
  ],
])('expecting %s in vain fails', async (_what, expectation, message) => {
  const process = await load(sequenceModel('order', [serviceTask('reserve'), userTask('approve')]));
  expect(() => expectation(process.start({ total: 7 }))).toThrow(message);
});

it('a job taken before is refused with the reason', async () => {
  const instance = (await load(sequenceModel('order', [serviceTask('reserve')]))).start();
  const job = instance.job('reserve');
  job.complete();
  expect(() => job.complete()).toThrow(
    /^Expected COMPLETE_JOB to apply; it was rejected: .+\norder \(i1\) is COMPLETED/,
  );
});

it('a technical failure uses up attempts; the last one raises an incident that can be resolved', async () => {
  const instance = (await load(sequenceModel('order', [serviceTask('reserve', { retries: 2 })]))).start();
  instance.job('reserve').fail('the stock does not answer');
  expect(instance.job('reserve').attemptsLeft).toBe(1);
  instance.job('reserve').fail('the stock does not answer');
  instance.expectIncident('reserve', 'BpmnError');
  expect(instance.incidents).toEqual([
    {
      elementID: 'reserve',
      errorType: 'BpmnError',
      errorCode: 'TECHNICAL_ERROR',
      message: expect.stringContaining('the stock does not answer'),
    },
  ]);
  instance.resolveIncident('reserve');
  instance.job('reserve').complete();
  instance.expectCompleted('end');
});

it('an incident of an expression is resolved with other variables', async () => {
  const instance = (await load(sequenceModel('order', [scriptTask('divide', '=1 / x', 'y')]))).start({ x: 0 });
  instance.expectIncident('divide', 'FeelError');
  instance.resolveIncident('divide', { x: 4 });
  instance.expectCompleted();
  instance.expectVariables({ y: 0.25 });
});

it('decisions come from DMN files, or from a function in their place', async () => {
  const dmn = write('discount.dmn', discount);
  const process = await load(sequenceModel('order', [businessRuleTask]), { with: [dmn] });
  const rated = process.start({ total: 200 });
  rated.expectVariables({ discount: 10 });
  process.decide('discount', ({ total }) => Number(total) / 2);
  process.start({ total: 200 }).expectVariables({ total: 200 });
  expect(process.instances.at(-1)?.variables).toMatchObject({ discount: 100 });
});

it('a decision that no file has, and one that fails, are incidents', async () => {
  const unknown = (await load(sequenceModel('order', [businessRuleTask]))).start();
  unknown.expectIncident('rate', 'DecisionNotFound');
  const failing = (
    await load(sequenceModel('order', [businessRuleTask]), { with: [write('discount.dmn', discount)] })
  ).start({
    total: 'many',
  });
  failing.expectIncident('rate', 'FeelError');
});

it('messages correlate by type and value, and start instances; time begins when the test says', async () => {
  const messages =
    '<bpmn:message id="Paid" name="paid"><bpmn:extensionElements><zeebe:subscription correlationKey="=order" /></bpmn:extensionElements></bpmn:message><bpmn:message id="Asked" name="asked" />';
  const xml = processModel(
    'order',
    [
      '<bpmn:startEvent id="asked"><bpmn:messageEventDefinition messageRef="Asked" /></bpmn:startEvent>',
      '<bpmn:intermediateCatchEvent id="paid"><bpmn:messageEventDefinition messageRef="Paid" /></bpmn:intermediateCatchEvent>',
      endEvent('end'),
      sequenceFlow('f1', 'asked', 'paid'),
      sequenceFlow('f2', 'paid', 'end'),
    ],
    [],
    messages,
  );
  const process = await load(xml, { now: new Date('2030-05-01T12:00:00Z') });
  expect(process.now).toEqual(new Date('2030-05-01T12:00:00Z'));
  process.publishMessage('asked', { variables: { order: 7 } });
  const [instance] = process.instances;
  process.publishMessage('paid', { correlation: '7' });
  instance?.expectWaitingAt('paid');
  process.publishMessage('paid', { correlation: 7, variables: { amount: 10 } });
  instance?.expectCompleted('end');
  instance?.expectVariables({ order: 7, amount: 10 });
});

it('a file that the host would refuse is refused with every problem', async () => {
  await expect(
    load(sequenceModel('order', [scriptTask('sum', '=1 +', 'x'), scriptTask('more', '=2 +', 'y')])),
  ).rejects.toThrow(/^model\.bpmn would be refused:\n  error at sum: .*\n  error at more: /);
});

it('which of several processes is meant has to be said', async () => {
  const [one, other] = ['one', 'other'].map((id) => sequenceModel(id, [serviceTask(`${id}-work`)]));
  const process = /<bpmn:process[\s\S]*<\/bpmn:process>/
    .exec(other!)![0]
    .replaceAll(/id="(start|end|f\d)"|(Ref)="(start|end)"/g, (text) => text.replace(/"(.*)"/, '"other-$1"'));
  const file = write('two.bpmn', one!.replace('</bpmn:definitions>', `${process}</bpmn:definitions>`));
  await expect(testProcess(file)).rejects.toThrow(
    'two.bpmn has the processes one, other. Select one with `processID`.',
  );
  const instance = (await testProcess(file, { processID: 'other' })).start();
  instance.expectWaitingAt('other-work');
});

it('coverage names what was reached and what was not, also in called files', async () => {
  const called = write('called.bpmn', sequenceModel('called', [serviceTask('inner')]));
  const process = await load(
    sequenceModel('order', [callActivity('call', 'called', { propagateAllChildVariables: true }), userTask('after')]),
    { with: [called] },
  );
  const instance = process.start();
  expect(process.coverage.covered.map(({ id }) => id)).toEqual(['start', 'call', 'f0']);
  expect(process.coverage.missed.map(({ id }) => id)).toEqual(['after', 'end', 'f1', 'f2']);
  instance.called('call').job('inner').complete();
  instance.task('after').complete();
  expect(process.coverage).toEqual({ file: 'model.bpmn', covered: expect.any(Array), missed: [] });
});

it('an instance continues with a newer version by a mapping, and covers the elements of both', async () => {
  const process = await load(
    sequenceModel('order', [serviceTask('reserve', { type: 'reserve-stock' }), serviceTask('ship')]),
  );
  const instance = process.start({ total: 7 });
  await process.deploy(
    write(
      'newer.bpmn',
      sequenceModel('order', [
        serviceTask('book', { type: 'reserve-stock' }),
        userTask('approve'),
        serviceTask('ship'),
      ]),
    ),
  );
  process.start().expectWaitingAt('book');
  instance.migrate({ reserve: 'book' }, { checked: true });
  instance.job('book').complete();
  instance.expectWaitingAt('approve');
  instance.expectVariables({ total: 7, checked: true });
  instance.expectPassed('start', 'book');
  expect(process.coverage.covered.map(({ id }) => id)).toEqual(expect.arrayContaining(['start', 'reserve']));
});

it('a migration that is impossible fails with every reason', async () => {
  const process = await load(sequenceModel('order', [serviceTask('reserve')]));
  const instance = process.start();
  await process.deploy(write('newer.bpmn', sequenceModel('order', [serviceTask('book')])));
  expect(() => instance.migrate()).toThrow(/Expected MIGRATE to apply; it was rejected: .*reserve/);
  await expect(
    process.deploy(write('wrong.bpmn', sequenceModel('order', [serviceTask('once')]).replaceAll('once', 'end'))),
  ).rejects.toThrow(ModelRefused);
});
