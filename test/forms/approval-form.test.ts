/** Texts of a model in the form that asks a person to approve its call. */
import { compile } from '@perdure/bpmn/compile/compile.js';
import { adHocSubProcess, endEvent, processModel, serviceTask, startEvent } from '@perdure/testkit/models';
import { expect, it } from 'vitest';

interface Component {
  type: string;
  text?: string;
}

it('shows the words of a model only as values in text, which the console escapes, never as HTML or as a whole text', async () => {
  const inputs = { url: 'https://models.example/v1', model: 'small', goal: 'Help', approve: '=["pay"]' };
  const agent = adHocSubProcess('agent', [serviceTask('pay')], [], { job: 'perdure:agent', inputs });
  const { processes } = await compile(processModel('p', [startEvent('s'), agent, endEvent('e')], 's -> agent -> e'));
  const [form] = Object.values(processes[0]!.forms!.embedded!);
  const { components } = JSON.parse(form!) as { components: Component[] };
  expect(components.map(({ type }) => type)).toEqual(['text', 'text', 'text', 'checkbox', 'textfield']);
  for (const { text, ...rest } of components) {
    expect(text ?? '').not.toMatch(/^=/);
    expect(JSON.stringify(rest)).not.toMatch(/\{\{/);
  }
  const values = components.flatMap(({ text = '' }) => text.match(/\{\{.*?\}\}/g) ?? []);
  expect(values).toEqual(['{{tool}}', '{{string(arguments)}}', '{{why}}']);
});
