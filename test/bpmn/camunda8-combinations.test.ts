/** Extensions of Camunda 8 that repeat or contradict each other. */
import { describe, expect, it, test } from 'vitest';
import { EXTENSION_ELEMENTS } from '@perdure/bpmn/check/camunda8-table.js';
import { SAMPLES, tagOf, holders } from './support/camunda8-models.js';
import { extended, file, graphOf, nodeOf, problemsOf, through } from './support/model.js';

const JOB = '<zeebe:taskDefinition type="work"/>';
const form = (attributes: string) =>
  problemsOf(through(extended('userTask id="m"', `<zeebe:formDefinition ${attributes}/>`)));
const headers = (...texts: string[]) =>
  through(extended('serviceTask id="m"', `${JOB}<zeebe:taskHeaders>${texts.join('')}</zeebe:taskHeaders>`));
const header = (key: string, value: string) => `<zeebe:header key="${key}" value="${value}"/>`;
const loop = (attributes: string, children = '') =>
  problemsOf(
    through(
      `<bpmn:task id="m"><bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics ${attributes}/></bpmn:extensionElements>${children}</bpmn:multiInstanceLoopCharacteristics></bpmn:task>`,
    ),
  );
const ignored = (what: string) => [`warning p: Extensions of Camunda 8 are ignored: ${what} (first at m)`];

/** Where the models of the table's test place each extension. */
const HOLDER: { readonly [name: string]: string } = {
  adHoc: 'AdHocSubProcess',
  assignmentDefinition: 'UserTask',
  calledDecision: 'BusinessRuleTask',
  calledElement: 'CallActivity',
  executionListeners: 'ServiceTask',
  taskListeners: 'UserTask',
  formDefinition: 'UserTask',
  ioMapping: 'ServiceTask',
  jobPriorityDefinition: 'ServiceTask',
  loopCharacteristics: 'MultiInstanceLoopCharacteristics',
  priorityDefinition: 'UserTask',
  script: 'ScriptTask',
  subscription: 'Message',
  taskDefinition: 'ServiceTask',
  taskHeaders: 'ServiceTask',
  taskSchedule: 'UserTask',
  userTask: 'UserTask',
  versionTag: 'Process',
};

const SINGLE = Object.entries(EXTENSION_ELEMENTS)
  .filter(([, { rule, within, repeats }]) => rule === 'runs' && within === undefined && !repeats)
  .map(([name]) => name);

describe('an extension that is written twice', () => {
  it.each(SINGLE)('is refused, because only one would be read: %s', async (name) => {
    const tag = tagOf(name, SAMPLES[name] ?? {});
    const problems = await problemsOf(holders[HOLDER[name]!]!(tag + tag));
    const repeated = new RegExp(
      `^error \\w+: \\w+ \\w+ has zeebe:${name} and another zeebe:${name}, but only one is read`,
    );
    expect(problems.filter((line) => line.startsWith('error'))).toEqual([expect.stringMatching(repeated)]);
  });

  it('is ignored where even one has no meaning', async () => {
    expect(await problemsOf(through(extended('userTask id="m"', JOB + JOB)))).toEqual(
      ignored('zeebe:taskDefinition at userTask'),
    );
  });

  it('is accepted if it has no effect in Camunda either', async () => {
    const note = '<zeebe:properties><zeebe:property name="a" value="b"/></zeebe:properties>';
    expect(await problemsOf(through(extended('userTask id="m"', note + note)))).toEqual([]);
  });

  it('is refused with another prefix too', async () => {
    const other = '<other:taskDefinition type="b"/>';
    expect(await problemsOf(through(extended('serviceTask id="m"', JOB + other)))).toEqual([
      'error m: serviceTask m has zeebe:taskDefinition and another other:taskDefinition, but only one is read. Combine them.',
    ]);
  });
});

test('embedded forms need different ids', async () => {
  const one = '<zeebe:userTaskForm id="f">{"type":"default","components":[]}</zeebe:userTaskForm>';
  const of = (forms: string) =>
    problemsOf(file(extended('process id="p" isExecutable="true"', forms, '<bpmn:startEvent id="s"/>')));

  expect(await of(one + one)).toEqual(['error p: Two embedded forms have the id "f". Rename one of them.']);
  expect(await of(one + one.replace('"f"', '"g"'))).toEqual([]);
});

describe('task headers', () => {
  it('with one key twice are refused', async () => {
    expect(await problemsOf(headers(header('a', '1'), header('b', '2'), header('a', '3')))).toEqual([
      'error m: zeebe:taskHeaders of m has two headers with the key "a". Rename or remove one.',
    ]);
  });

  it('without a key are ignored with a warning', async () => {
    const xml = headers('<zeebe:header value="1"/>', header('', '2'), header('a', '3'));
    expect(await problemsOf(xml)).toEqual(ignored('zeebe:header without a key'));
    expect(nodeOf(await graphOf(xml), 'serviceTask').job.headers).toEqual({ a: '3' });
  });
});

describe('a form definition', () => {
  it.each([
    ['formId="a" formKey="b"', 'formId and formKey'],
    ['formId="a" externalReference="b"', 'formId and externalReference'],
    ['formKey="a" externalReference="b"', 'formKey and externalReference'],
  ])('names one form: %s is refused', async (attributes, named) => {
    expect(await form(attributes)).toEqual([
      `error m: zeebe:formDefinition of m has ${named}, but a task has one form. Remove all but one.`,
    ]);
  });

  it('has a binding only for a formId', async () => {
    expect(await form('formKey="a" bindingType="deployment"')).toEqual(
      ignored('bindingType without formId of zeebe:formDefinition'),
    );
    expect(await form('formId="" formKey="a"')).toEqual([]);
  });
});

describe('a version tag without its binding type', () => {
  it.each([
    ['callActivity', 'calledElement', 'processId="q"'],
    ['businessRuleTask', 'calledDecision', 'decisionId="d" resultVariable="r"'],
    ['userTask', 'formDefinition', 'formId="f"'],
  ])('is ignored with a warning: %s', async (task, name, attributes) => {
    const of = (binding: string) =>
      problemsOf(through(extended(`${task} id="m"`, `<zeebe:${name} ${attributes} versionTag="v"${binding}/>`)));
    const warning = ignored(`versionTag without bindingType versionTag of zeebe:${name}`);

    expect(await of('')).toEqual(warning);
    expect(await of(' bindingType="latest"')).toEqual(warning);
    expect(await of(' bindingType="versionTag"')).toEqual([]);
  });
});

describe('a multi-instance loop', () => {
  const collected = 'so its results are not collected.';

  it.each([
    [
      'inputCollection="=[1]" outputElement="=1"',
      `an outputElement but no outputCollection, ${collected} Add the outputCollection, or remove the outputElement.`,
    ],
    [
      'inputCollection="=[1]" outputCollection="o"',
      `an outputCollection but no outputElement, ${collected} Add the outputElement, or remove the outputCollection.`,
    ],
  ])('with half of an output is refused: %s', async (attributes, problem) => {
    expect(await loop(attributes)).toEqual([`error m: The multi-instance loop of m has ${problem}`]);
  });

  it('with an item and no collection is refused', async () => {
    expect(await loop('inputElement="i"', '<bpmn:loopCardinality>2</bpmn:loopCardinality>')).toEqual([
      'error m: The multi-instance loop of m has an inputElement but no inputCollection that it could come from. Add one, or remove the inputElement.',
    ]);
  });

  it('with a collection ignores a cardinality with a warning', async () => {
    expect(await loop('inputCollection="=[1]"', '<bpmn:loopCardinality>2</bpmn:loopCardinality>')).toEqual([
      'warning m: The multi-instance loop of m has a collection, so its loopCardinality is ignored. Remove one of them.',
    ]);
  });
});

test.each([
  ['businessRuleTask', 'calledDecision', 'decisionId="d"'],
  ['scriptTask', 'script', 'expression="=1"'],
])('the result of a %s that goes nowhere is named in a warning', async (task, name, attributes) => {
  expect(await problemsOf(through(extended(`${task} id="m"`, `<zeebe:${name} ${attributes}/>`)))).toEqual(
    ignored(`the result of zeebe:${name} without resultVariable`),
  );
});

test.each([
  [
    'a called process',
    extended('callActivity id="m" calledElement="other"', '<zeebe:calledElement processId="q"/>'),
    'attribute calledElement next to zeebe:calledElement',
  ],
  [
    'a script',
    extended('scriptTask id="m"', '<zeebe:script expression="=1" resultVariable="r"/>', '<bpmn:script>2</bpmn:script>'),
    'script next to zeebe:script',
  ],
  [
    'the key of a message that a job worker sends',
    extended('sendTask id="m"', `${JOB}<zeebe:publishMessage correlationKey="=1"/>`),
    'zeebe:publishMessage at sendTask',
  ],
])('%s that another extension overrides is ignored with a warning', async (_what, task, named) => {
  expect(await problemsOf(through(task))).toEqual(ignored(named));
});

test('an attribute of another engine that an extension of Camunda 8 overrides is ignored with a warning', async () => {
  const task = extended('userTask id="m" camunda:assignee="eda"', '<zeebe:assignmentDefinition candidateGroups="g"/>');

  expect(await problemsOf(through(task))).toEqual([
    'warning p: Extensions of other engines are ignored: camunda:assignee (first at m)',
  ]);
});

test.each([
  ['serviceTask', '<zeebe:taskDefinition type="work"/>'],
  ['serviceTask', '<zeebe:taskHeaders/>'],
  ['sendTask', '<zeebe:publishMessage/>'],
])('at a %s, 30,000 of %s cost one diagnostic, and time in proportion', async (task, extension) => {
  const problems = await problemsOf(through(extended(`${task} id="m"`, extension.repeat(30_000) + JOB)));

  expect(problems).toHaveLength(1);
});
