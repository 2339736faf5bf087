/** Files of element templates, as modelers and hosts read them. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readElementTemplates } from '@perdure/bpmn/element-templates/read.js';
import { agentHeaders, agentInputs } from '@perdure/lib/model-files/agents.js';

const template = (more: object = {}) => ({
  id: 'mail',
  name: 'Mail',
  appliesTo: ['bpmn:Task'],
  properties: [],
  ...more,
});
const read = (value: unknown) => readElementTemplates(JSON.stringify(value));
const messages = (value: unknown) => read(value).problems.map(({ message }) => message);

test('the published template of HTTP tasks is read without a problem', () => {
  const path = new URL('../../examples/element-templates/perdure-http-task.json', import.meta.url);
  const { templates, problems } = readElementTemplates(readFileSync(path, 'utf8'));
  expect(problems).toEqual([]);
  expect(templates).toMatchObject([
    { id: 'perdure.http-task.v1', version: 1, appliesTo: ['bpmn:Task', 'bpmn:ServiceTask'] },
  ]);
});

test('the published template of agents has the inputs and headers that the compiler knows', () => {
  const path = new URL('../../examples/element-templates/perdure-agent.json', import.meta.url);
  const text = readFileSync(path, 'utf8');
  expect(readElementTemplates(text)).toMatchObject({
    problems: [],
    templates: [{ appliesTo: ['bpmn:AdHocSubProcess'] }],
  });
  const bindings = JSON.parse(text).properties.map(
    ({ binding }: { binding: { name?: string; key?: string } }) => binding,
  );
  const named = (member: 'name' | 'key') => bindings.flatMap((binding: any) => binding[member] ?? []).toSorted();
  expect(named('name')).toEqual([...agentInputs].toSorted());
  expect(named('key')).toEqual([...agentHeaders].toSorted());
});

test('a file has one template or a list, and several of one id if their versions differ', () => {
  expect(read(template()).templates).toHaveLength(1);
  const both = read([template({ version: 1 }), template({ version: 2 }), template()]);
  expect(both.problems).toEqual([]);
  expect(both.templates.map(({ version }) => version)).toEqual([1, 2, undefined]);
  expect(messages([template({ version: 1 }), template({ version: 1 })])).toEqual([
    'Two element templates with version 1 have the id "mail". Remove one of them.',
  ]);
});

test.each([
  ['no JSON', '{"id": }', /^The file of element templates is not valid JSON$/],
  ['an empty list', '[]', /has no element template/],
  ['a list of texts', '["mail"]', /^Element template 1 must be a JSON object$/],
  ['no id', JSON.stringify(template({ id: '' })), /^Element template 1 needs an id/],
  ['a name that is a number', JSON.stringify(template({ name: 1 })), /^Element template "mail" needs a name/],
  ['a version that is a text', JSON.stringify(template({ version: '1' })), /^The version of element template "mail"/],
  [
    'nothing that it applies to',
    JSON.stringify(template({ appliesTo: [] })),
    /^Element template "mail" needs appliesTo/,
  ],
  ['a type without a prefix', JSON.stringify(template({ appliesTo: ['Task'] })), /"bpmn:ServiceTask"$/],
  ['no properties', JSON.stringify(template({ properties: undefined })), /needs a list of properties$/],
  [
    'a property without a binding',
    JSON.stringify(template({ properties: [{}] })),
    /^Property 1 of element template "mail"/,
  ],
  [
    'a type of property that does not exist',
    property({ type: 'Slider' }),
    /has an unknown type. It must be one of String/,
  ],
  ['a dropdown without choices', property({ type: 'Dropdown' }), /is a Dropdown and needs choices/],
  [
    'a template of 300 KB',
    JSON.stringify(template({ icon: { contents: 'x'.repeat(300_000) } })),
    /at most 262144 bytes/,
  ],
  ['a file of 3 MB', JSON.stringify(template({ icon: 'x'.repeat(3_000_000) })), /at most 2097152 bytes.*Split it/],
  ['201 templates', JSON.stringify(Array(201).fill(template())), /at most 200 element templates, but has 201/],
  ['1,001 properties', JSON.stringify(template({ properties: Array(1_001).fill({}) })), /at most 1000 properties/],
  ['values nested deeply', `{"id":${'['.repeat(500)}${']'.repeat(500)}}`, /nested at most 200 levels/],
])('a file with %s is refused and says so', (_, text, message) => {
  const { templates, problems } = readElementTemplates(text);
  expect(templates).toEqual([]);
  expect(problems[0]).toMatchObject({ severity: 'error', message: expect.stringMatching(message) });
});

function property(more: object): string {
  return JSON.stringify(template({ properties: [{ binding: { type: 'zeebe:input', name: 'a' }, ...more }] }));
}

test('a binding of another engine, or of a later schema, is a warning', () => {
  const { templates, problems } = read(template({ properties: [{ binding: { type: 'camunda:inputParameter' } }] }));
  expect(templates).toHaveLength(1);
  expect(problems).toEqual([
    {
      severity: 'warning',
      message:
        'Property 1 of element template "mail" has a binding that Camunda 8 does not have: "camunda:inputParameter"',
    },
  ]);
});

test('a file with thousands of problems reports a hundred', () => {
  const properties = Array(1_000).fill(null);
  expect(read(Array.from({ length: 100 }, (_, id) => template({ id: `t${id}`, properties }))).problems).toHaveLength(
    100,
  );
});
