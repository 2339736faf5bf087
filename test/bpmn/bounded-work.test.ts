import { afterEach, expect, test, vi } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { BpmnElement } from '@perdure/bpmn/read/document.js';
import { draw } from '@perdure/bpmn/read/drawing.js';
import { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';
import { checkStructure } from '@perdure/bpmn/check/rules.js';
import { documentOf, file, flow, processFile } from './support/model.js';

afterEach(() => void vi.restoreAllMocks());

const START = '<bpmn:startEvent id="s"/>';
const many = (count: number, element: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => element(n)).join('');

/** How often the compiler reads something of an element. */
async function readsOf(xml: string): Promise<number> {
  const reads = (['children', 'references', 'all', 'namespace', 'attribute'] as const).map((name) =>
    vi.spyOn(BpmnElement.prototype, name),
  );
  await compile(xml);
  const count = reads.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  vi.restoreAllMocks();
  return count;
}

test.each([
  [
    'tasks in a row',
    (n: number) =>
      processFile(
        START + many(n, (i) => `<bpmn:task id="t${i}"/>${flow(`f${i}`, i === 0 ? 's' : `t${i - 1}`, `t${i}`)}`),
      ),
  ],
  [
    'cancel events',
    (n: number) =>
      processFile(
        `${START}<bpmn:task id="t"/>${many(n, (i) => `<bpmn:boundaryEvent id="b${i}" attachedToRef="t"><bpmn:cancelEventDefinition/></bpmn:boundaryEvent>`)}`,
      ),
  ],
  [
    'start timers',
    (n: number) =>
      processFile(
        START +
          many(
            n,
            (i) =>
              `<bpmn:startEvent id="t${i}"><bpmn:timerEventDefinition><bpmn:timeDate>2999-01-01T00:00:00Z</bpmn:timeDate></bpmn:timerEventDefinition></bpmn:startEvent>`,
          ),
      ),
  ],
  [
    'data inputs',
    (n: number) =>
      processFile(
        `${START}<bpmn:dataObject id="o" name="o"/><bpmn:task id="t"><bpmn:ioSpecification>${many(n, (i) => `<bpmn:dataInput id="i${i}" name="i${i}"/>`)}<bpmn:inputSet>${many(n, (i) => `<bpmn:optionalInputRefs>i${i}</bpmn:optionalInputRefs>`)}</bpmn:inputSet></bpmn:ioSpecification>${many(n, (i) => `<bpmn:dataInputAssociation><bpmn:sourceRef>o</bpmn:sourceRef><bpmn:targetRef>i${i}</bpmn:targetRef></bpmn:dataInputAssociation>`)}</bpmn:task>`,
      ),
  ],
  [
    'processes and messages',
    (n: number) =>
      file(
        many(
          n,
          (i) =>
            `<bpmn:message id="m${i}" name="m"/><bpmn:process id="p${i}" isExecutable="true"><bpmn:startEvent id="s${i}"/></bpmn:process>`,
        ),
      ),
  ],
  [
    'call activities',
    (n: number) => processFile(START + many(n, (i) => `<bpmn:callActivity id="c${i}" calledElement="p"/>`)),
  ],
  [
    'flows without an id between two nodes',
    (n: number) =>
      processFile(`${START}<bpmn:task id="t"/>${'<bpmn:sequenceFlow sourceRef="s" targetRef="t"/>'.repeat(n)}`),
  ],
])('twice as many %s take at most about twice as much work', async (_what, model) => {
  expect(await readsOf(model(400))).toBeLessThan(2.2 * (await readsOf(model(200))));
});

test('the rules of a scope look at each of its nodes a few times, however many there are', async () => {
  const document = await documentOf(processFile(START + many(500, (n) => `<bpmn:task id="t${n}"/>`)));
  const problems = new Diagnostics();
  const drawn = draw(document.definitions.children('rootElements')[0]!, problems);
  let looks = 0;
  drawn.root.nodes = new Proxy(drawn.root.nodes, {
    get: (nodes, key, self) => ((looks += 1), Reflect.get(nodes, key, self) as unknown),
  });

  checkStructure(drawn, problems);

  expect(looks).toBeLessThan(20 * 501);
});

test('of very many mistakes in the XML two hundred are listed and the rest are counted', async () => {
  const { problems, processes } = await compile(processFile(START + '<bpmn:magic/>x'.repeat(1000)));

  expect(processes).toEqual([]);
  expect(problems.filter(({ message }) => message.startsWith('Line '))).toHaveLength(200);
  expect(problems.map(({ message }) => message)).toContain('1800 more errors in the XML are not listed');
});

test('a long text that a thousand elements share does not make a long answer', async () => {
  const name = `\${${'😀'.repeat(10_000)}} and more`;
  const { problems } = await compile(
    file(
      `<bpmn:message id="m" name="${name}"/><bpmn:process id="p" isExecutable="true">${START}${many(900, (n) => `<bpmn:receiveTask id="r${n}" messageRef="m"/>`)}</bpmn:process>`,
    ),
  );

  expect(JSON.stringify(problems).length).toBeLessThan(20_000_000);
  expect(problems.some(({ message }) => /\p{Surrogate}/u.test(message))).toBe(false);
  expect(problems.some(({ message }) => message.endsWith('characters)'))).toBe(true);
});
