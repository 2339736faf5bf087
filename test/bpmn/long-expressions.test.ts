/** Expressions that are too long to be parsed, wherever a model can have one. */
import { expect, test } from 'vitest';
import { extended, flow, problemsOf, processFile, through } from './support/model.js';

const LONG = `="${'a'.repeat(16_383)}"`;
const cause = 'has 16385 characters as FEEL, but the limit is 16384. Split it into several expressions.';

const job = (extensions: string, inside = '') =>
  through(extended('serviceTask id="m"', `<zeebe:taskDefinition type="pack"/>${extensions}`, inside));
const userTask = (extension: string) => through(extended('userTask id="m"', `<zeebe:userTask/>${extension}`));
const caught = (definition: string) =>
  through(`<bpmn:intermediateCatchEvent id="m">${definition}</bpmn:intermediateCatchEvent>`);
const loop = (attributes: string) =>
  extended('multiInstanceLoopCharacteristics', `<zeebe:loopCharacteristics ${attributes}/>`);
const formal = (name: string, text: string) => `<bpmn:${name} xsi:type="bpmn:tFormalExpression">${text}</bpmn:${name}>`;

const conditional = (condition: string) =>
  processFile(
    `<bpmn:startEvent id="s"/><bpmn:exclusiveGateway id="g" default="b"/><bpmn:endEvent id="e"/>${flow('a', 's', 'g')}${flow('b', 'g', 'e')}${flow('c', 'g', 'e', condition)}`,
  );

test.each<[what: string, xml: string, problem: string]>([
  ['condition', conditional(LONG), `c: The condition of sequence flow c ${cause}`],
  [
    'script',
    through(extended('scriptTask id="m"', `<zeebe:script expression='${LONG}' resultVariable="x"/>`)),
    `m: The script ${cause}`,
  ],
  [
    'input',
    job(`<zeebe:ioMapping><zeebe:input source='${LONG}' target="x.y"/></zeebe:ioMapping>`),
    `m: The input mapping to x.y ${cause}`,
  ],
  [
    'output',
    job(`<zeebe:ioMapping><zeebe:output source='${LONG}' target="x"/></zeebe:ioMapping>`),
    `m: The output mapping to x ${cause}`,
  ],
  ['collection', job('', loop(`inputCollection='${LONG}' inputElement="i"`)), `m: The input collection ${cause}`],
  [
    'output element',
    job('', loop(`inputCollection="=[1]" outputElement='${LONG}' outputCollection="o"`)),
    `m: The output element ${cause}`,
  ],
  [
    'timer',
    caught(`<bpmn:timerEventDefinition>${formal('timeDuration', LONG)}</bpmn:timerEventDefinition>`),
    `m: The timer duration ${cause}`,
  ],
  [
    'condition of an event',
    caught(`<bpmn:conditionalEventDefinition>${formal('condition', LONG)}</bpmn:conditionalEventDefinition>`),
    `m: The condition ${cause}`,
  ],
  ['assignee', userTask(`<zeebe:assignmentDefinition assignee='${LONG}'/>`), `m: The assignee ${cause}`],
  ['due date', userTask(`<zeebe:taskSchedule dueDate='${LONG}'/>`), `m: The due date ${cause}`],
  [
    'called process',
    through(extended('callActivity id="m"', `<zeebe:calledElement processId='${LONG}'/>`)),
    `m: The called process id ${cause}`,
  ],
])('a long %s is refused with its place in the element', async (_, xml, problem) => {
  expect(await problemsOf(xml)).toContain(`error ${problem}`);
});

test('a script of the full length deploys', async () => {
  const script = `="${'a'.repeat(16_382)}"`;
  const xml = through(extended('scriptTask id="m"', `<zeebe:script expression='${script}' resultVariable="x"/>`));
  expect(await problemsOf(xml)).toEqual([]);
});
