/** Expressions of forms that are too long to be evaluated are problems of the deployment. */
import { expect, it } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { readForm, type Component } from '@perdure/forms/read-form.js';

const cause = 'has 16385 characters as FEEL, but the limit is 16384. Split it into several expressions.';
const text = (length: number) => `="${'a'.repeat(length - 2)}"`;
const nested = (component: Component): Component[] => [
  { type: 'text' },
  { type: 'group', components: [{ type: 'dynamiclist', components: [{ type: 'text' }, component] }] },
];

function problemsOf(components: Component[]): string[] {
  const reading = readForm(JSON.stringify({ id: 'order', components }));
  return reading.ok ? [] : reading.problems.map(({ message }) => message);
}

it.each<[string, Partial<Component>]>([
  ['condition', { conditional: { hide: text(16_385) } }],
  ['limit min', { validate: { min: text(16_385) } }],
  ['limit max', { validate: { max: text(16_385) } }],
  ['limit minLength', { validate: { minLength: text(16_385) } }],
  ['limit maxLength', { validate: { maxLength: text(16_385) } }],
])('a %s that is too long is a problem that names the form, the component, and its path', (what, members) => {
  expect(problemsOf(nested({ type: 'number', id: 'Field_1', key: 'x', ...members }))).toEqual([
    `The ${what} ${cause} Component "Field_1" is at /components/1/components/0/components/1 of form "order".`,
  ]);
});

it('expressions up to the limit, and long texts of other kinds, are accepted', () => {
  const component = { type: 'textfield', conditional: { hide: text(16_384) }, validate: { min: 'a'.repeat(20_000) } };
  expect(problemsOf(nested(component))).toEqual([]);
});

it('many components with conditions that are too long are all named, as far as the form may be read', () => {
  const one = { type: 'number', conditional: { hide: text(16_385) } };
  expect(problemsOf(Array.from({ length: 60 }, () => one))).toHaveLength(60);
  // A form with more of them is larger than a form may be.
  expect(problemsOf(Array.from({ length: 70 }, () => one))).toEqual([expect.stringContaining('at most 1048576 bytes')]);
});

it('an embedded form with an expression that is too long is not shown, with a warning', async () => {
  const schema = JSON.stringify({
    components: [{ type: 'number', conditional: { hide: text(16_385).replaceAll('"', "'") } }],
  });
  const { problems } = await compile(
    `<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" targetNamespace="t" id="d"><bpmn:process id="p" isExecutable="true"><bpmn:extensionElements><zeebe:userTaskForm id="f">${schema}</zeebe:userTaskForm></bpmn:extensionElements><bpmn:startEvent id="s"/></bpmn:process></bpmn:definitions>`,
  );
  expect(problems.filter(({ elementID }) => elementID === 'p')).toMatchObject([
    {
      severity: 'warning',
      message: `Embedded form "f" is not shown: The condition ${cause} Component is at /components/0 of the form.`,
    },
  ]);
});
