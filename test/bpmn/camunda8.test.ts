/** Camunda's own descriptor of its extensions against the table by which models are checked. */
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import {
  EXTENSION_ATTRIBUTES,
  EXTENSION_ELEMENTS,
  verdictOf,
  type Verdict,
} from '@perdure/bpmn/check/camunda8-table.js';
import { holders, SAMPLES, tagOf, type Attributes } from './support/camunda8-models.js';
import { extended, problemsOf, processFile, through } from './support/model.js';

interface Type {
  name: string;
  isAbstract?: boolean;
  superClass?: string[];
  extends?: string[];
  meta?: { allowedIn?: string[] };
  properties?: { name: string; type: string; isAttr?: boolean }[];
}

const descriptor = createRequire(import.meta.url)('zeebe-bpmn-moddle/resources/zeebe.json') as { types: Type[] };
const types = new Map(descriptor.types.map((type) => [type.name, type]));
const elementName = ({ name }: Type) => name[0]!.toLowerCase() + name.slice(1);

/** Without types that extend others, and without the base of inputs and outputs. */
const elements = descriptor.types.filter(({ extends: extended, name }) => !extended && name !== 'InputOutputParameter');

/** Own attributes, those of base types, and those of types that extend this one. */
function attributesOf(type: Type): string[] {
  const own = (type.properties ?? []).filter(({ isAttr }) => isAttr).map(({ name }) => name);
  const inherited = (type.superClass ?? []).flatMap((name) => (types.has(name) ? attributesOf(types.get(name)!) : []));
  const added = descriptor.types.filter((other) => other.extends?.includes(`zeebe:${type.name}`)).flatMap(attributesOf);
  return [...own, ...inherited, ...added];
}

/** Elements of BPMN that the descriptor allows around an extension element. */
function allowedIn(type: Type): string[] {
  return (type.meta?.allowedIn ?? []).flatMap((name) => {
    const known = types.get(name.replace('zeebe:', ''));
    if (!known) return [name.replace('bpmn:', '')];
    return (known.extends ?? []).map((extended) => extended.replace('bpmn:', ''));
  });
}

const bpmnAttributes = descriptor.types
  .filter((type) => type.extends?.some((name) => name.startsWith('bpmn:')))
  .flatMap(attributesOf);

it('the table has every element and every attribute of the descriptor, and no other', () => {
  const known = Object.entries(EXTENSION_ELEMENTS).map(([name, { attributes = {} }]) => [
    name,
    Object.keys(attributes).sort(),
  ]);
  expect(Object.fromEntries(known)).toEqual(
    Object.fromEntries(elements.map((type) => [elementName(type), attributesOf(type).sort()])),
  );
  expect(Object.keys(EXTENSION_ATTRIBUTES).sort()).toEqual([...new Set(bpmnAttributes)].sort());
});

/** Where Camunda runs an element and Perdure says that it does not. */
const ELSEWHERE: { readonly [name: string]: { readonly [holder: string]: Verdict } } = {
  taskDefinition: { ScriptTask: 'refused' },
  taskHeaders: { ScriptTask: 'ignored' },
  header: { ScriptTask: 'ignored' },
  jobPriorityDefinition: { ScriptTask: 'ignored' },
  'formDefinition.externalReference': { StartEvent: 'ignored' },
};

interface Case {
  name: string;
  attribute?: string;
  holder: string;
  verdict: Verdict;
}

const cases: Case[] = elements.flatMap((type) => {
  const name = elementName(type);
  const { rule, within, attributes = {} } = EXTENSION_ELEMENTS[name] ?? { rule: 'runs' };
  const around = within && descriptor.types.find((other) => elementName(other) === within);
  const places = [...allowedIn(type), ...(around ? allowedIn(around) : [])];
  const inBpmn = [...new Set(places)].filter((place) => place in holders && place !== '');
  return (inBpmn.length > 0 ? inBpmn : [name === 'subscription' ? 'Message' : 'Task']).flatMap((holder) => {
    const here = (key: string) => ELSEWHERE[key]?.[holder];
    return [
      { name, holder, verdict: here(name) ?? verdictOf(rule) },
      ...Object.entries(attributes).map(([attribute, own]) => ({
        name,
        attribute,
        holder,
        verdict: here(name) ?? here(`${name}.${attribute}`) ?? verdictOf(own),
      })),
    ];
  });
});

async function outcome(xml: string) {
  const { processes, problems } = await compile(xml);
  const errors = problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  const warnings = problems.filter(({ severity }) => severity === 'warning').map(({ message }) => message);
  return { processes: JSON.stringify(processes), errors, warnings };
}

/** The file with the sample, and without the attribute or the whole element. */
function filesOf({ name, attribute, holder }: Case): { with: string; without: string } {
  const sample: Attributes =
    SAMPLES[`${name}.${attribute}@${holder}`] ?? SAMPLES[`${name}.${attribute}`] ?? SAMPLES[name] ?? {};
  const { [attribute ?? '']: _left, ...rest } = sample;
  const build = holders[holder]!;
  return {
    with: build(tagOf(name, sample)),
    without: build(attribute === undefined ? '' : tagOf(name, rest)),
  };
}

const spelled = ({ name, attribute, holder }: Case) =>
  `${attribute === undefined ? '' : `${attribute} of `}${name} at ${holder}`;

/** Names in a diagnostic about it or about the element around it. */
function namesOf({ name, attribute }: Case): string[] {
  const { within } = EXTENSION_ELEMENTS[name]!;
  return [name, ...(within ? [within] : []), ...(attribute ? [attribute] : [])];
}

const of = (verdict: Verdict) =>
  cases.filter((given) => given.verdict === verdict).map((given) => [spelled(given), given] as const);

describe('an extension of Camunda 8', () => {
  /** A user task needs no mark to be one. */
  const marks = ['userTask at UserTask'];

  it.each(of('runs'))('has an effect: %s', async (what, given) => {
    const files = filesOf(given);
    const [found, bare] = [await outcome(files.with), await outcome(files.without)];
    expect(found.errors).toEqual([]);
    expect(found.warnings.filter((text) => text.includes('Camunda 8'))).toEqual([]);
    if (!marks.includes(what)) expect(found.processes).not.toBe(bare.processes);
  });

  it.each(of('refused'))('is refused by name: %s', async (_what, given) => {
    const { errors } = await outcome(filesOf(given).with);
    expect(errors.some((text) => namesOf(given).some((name) => text.includes(name)))).toBe(true);
  });

  it.each(of('ignored'))('is ignored with a warning that names it: %s', async (_what, given) => {
    const files = filesOf(given);
    const found = await outcome(files.with);
    expect(found.errors).toEqual([]);
    expect(found.warnings.some((text) => namesOf(given).some((name) => text.includes(name)))).toBe(true);
    expect(found.processes).toBe((await outcome(files.without)).processes);
  });

  it.each(of('note'))('changes nothing and is not reported: %s', async (_what, given) => {
    const files = filesOf(given);
    expect(await outcome(files.with)).toEqual(await outcome(files.without));
  });
});

it.each(Object.entries(EXTENSION_ATTRIBUTES))(
  'attribute %s of a task is reported as the table says',
  async (name, rule) => {
    const problems = await problemsOf(through(`<bpmn:task id="m" zeebe:${name}="1"/>`));
    expect(problems).toEqual(
      verdictOf(rule) === 'note' ? [] : [`warning p: Extensions of Camunda 8 are ignored: zeebe:${name} (first at m)`],
    );
  },
);

/** None of them has a meaning at a sequence flow. Listeners there are refused: `execution-listeners.test.ts`. */
const PLACED = Object.entries(EXTENSION_ELEMENTS).filter(
  ([name, { rule, place }]) => rule === 'runs' && place && name !== 'executionListeners',
);

it.each(PLACED)('%s at a sequence flow is ignored with a warning', async (name) => {
  const xml = through('<bpmn:task id="m"/>').replace(
    'sourceRef="m" targetRef="e">',
    `sourceRef="m" targetRef="e"><bpmn:extensionElements>${tagOf(name, SAMPLES[name] ?? {})}</bpmn:extensionElements>`,
  );
  expect(await problemsOf(xml)).toEqual([
    `warning p: Extensions of Camunda 8 are ignored: zeebe:${name} at sequenceFlow (first at out)`,
  ]);
});

it('elements, children, and attributes that the table does not have are ignored with one warning', async () => {
  const task = extended(
    'serviceTask id="m" zeebe:new="1"',
    '<zeebe:taskDefinition type="a" color="red"/><zeebe:later/><zeebe:taskHeaders><zeebe:other/></zeebe:taskHeaders>',
  );
  expect(await problemsOf(through(task))).toEqual([
    'warning p: Extensions of Camunda 8 are ignored: color of zeebe:taskDefinition (first at m), zeebe:later (first at m), zeebe:other in zeebe:taskHeaders (first at m), zeebe:new (first at m)',
  ]);
});

it('of very many unknown extensions twenty are named and the rest are counted', async () => {
  const many = Array.from({ length: 5000 }, (_, index) => `<zeebe:later${index}/>`).join('');
  const [warning] = await problemsOf(through(extended('task id="m"', many)));
  expect(warning).toMatch(/zeebe:later19 \(first at m\), 4980 more$/);
});

it.each([
  [
    '<zeebe:adHoc activeElementsCollection="=[]"/>',
    '',
    'a job cannot be combined with activeElementsCollection, because its worker decides both. Remove one.',
  ],
  [
    '',
    '<bpmn:completionCondition>=true</bpmn:completionCondition>',
    'a job cannot be combined with completionCondition, because its worker decides both. Remove one.',
  ],
])('a job of an ad-hoc sub-process is refused for good with %s%s', async (extension, condition, why) => {
  const inside = `<bpmn:task id="t"/>${condition}`;
  const job = '<zeebe:taskDefinition type="agent"/>';
  expect(await problemsOf(through(extended('adHocSubProcess id="m"', job + extension, inside)))).toEqual([
    `error m: Extension element zeebe:taskDefinition is not supported at adHocSubProcess m: ${why}`,
  ]);
});

it('outputs of an ad-hoc sub-process are refused without a job, because nothing collects them', async () => {
  const outputs = '<zeebe:adHoc outputCollection="all" outputElement="=x"/>';
  expect(await problemsOf(through(extended('adHocSubProcess id="m"', outputs, '<bpmn:task id="t"/>')))).toEqual([
    'error m: outputCollection and outputElement of ad-hoc sub-process m need a taskDefinition: without a job worker results are not collected. Use an output mapping of each activity inside.',
  ]);
});

it.each([
  ['outputCollection="all"', 'outputCollection and outputElement of an ad-hoc sub-process need each other'],
  [
    'outputCollection="not a name" outputElement="=x"',
    'The output collection must be a variable name, but is "not a name"',
  ],
])('a driven ad-hoc sub-process with %s is refused', async (attributes, why) => {
  const extension = `<zeebe:taskDefinition type="agent"/><zeebe:adHoc ${attributes}/>`;
  const problems = await problemsOf(through(extended('adHocSubProcess id="m"', extension, '<bpmn:task id="t"/>')));
  expect(problems.filter((problem) => problem.startsWith('error'))).toEqual([`error m: ${why}`]);
});

it('a driven ad-hoc sub-process without an element that its worker could activate is refused', async () => {
  const ring =
    '<bpmn:task id="t"/><bpmn:task id="u"/>' +
    '<bpmn:sequenceFlow id="r1" sourceRef="t" targetRef="u"/><bpmn:sequenceFlow id="r2" sourceRef="u" targetRef="t"/>';
  const job = '<zeebe:taskDefinition type="agent"/>';
  expect(await problemsOf(through(extended('adHocSubProcess id="m"', job, ring)))).toContain(
    'error m: Every element inside ad-hoc sub-process m has an incoming sequence flow, so its worker could activate none',
  );
});

it('tools that take more than a job can carry are refused', async () => {
  const long = `<bpmn:task id="t"><bpmn:documentation>${'x'.repeat(300_000)}</bpmn:documentation></bpmn:task>`;
  const [problem] = await problemsOf(
    through(extended('adHocSubProcess id="m"', '<zeebe:taskDefinition type="agent"/>', long)),
  );
  expect(problem).toMatch(/^error m: The elements inside ad-hoc sub-process m take 3000\d\d characters/);
});

it.each([
  ['fromAi(&quot;text&quot;)', 'needs a path such as toolCall.query as its first argument'],
  ['fromAi(toolCall.a, description)', 'has a description that is not constant'],
])('a call %s describes no parameter, with a warning', async (call, why) => {
  const tool = extended(
    'task id="t"',
    `<zeebe:ioMapping><zeebe:input source="=${call}" target="a"/></zeebe:ioMapping>`,
  );
  const problems = await problemsOf(
    through(extended('adHocSubProcess id="m"', '<zeebe:taskDefinition type="agent"/>', tool)),
  );
  expect(problems).toContainEqual(expect.stringContaining(`warning t: A call of fromAi ${why}`));
});

it('headers of a task that publishes its own message are ignored with a warning', async () => {
  const send = extended(
    'sendTask id="m" messageRef="msg"',
    '<zeebe:taskHeaders><zeebe:header key="a" value="b"/></zeebe:taskHeaders>',
  );
  const xml = processFile('').replace('<bpmn:process', '<bpmn:message id="msg" name="sent"/><bpmn:process');
  const flows = through(send).slice(
    through(send).indexOf('<bpmn:startEvent'),
    through(send).indexOf('</bpmn:process>'),
  );
  expect(await problemsOf(xml.replace('isExecutable="true">', `isExecutable="true">${flows}`))).toEqual([
    'warning p: Extensions of Camunda 8 are ignored: zeebe:taskHeaders at sendTask (first at m)',
  ]);
});
