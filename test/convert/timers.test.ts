import { expect, it } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { convertModel } from '@perdure/convert';
import { around, camundaModel } from './models.js';

const cycle = (text: string) => `<timerEventDefinition><timeCycle>${text}</timeCycle></timerEventDefinition>`;
const start = (text: string) =>
  camundaModel(
    `<startEvent id="s">${cycle(text)}</startEvent><userTask id="work" camunda:candidateGroups="office"/><sequenceFlow id="f" sourceRef="s" targetRef="work"/>`,
  );
const findings = (xml: string) => convertModel(xml).findings.map(({ outcome, message }) => `${outcome}: ${message}`);
const cycleIn = (xml: string) => /<timeCycle>(.*?)<\/timeCycle>/.exec(xml)![1];

it.each([
  ['0 0 9 ? * 2-6', '0 0 9 ? * MON-FRI'],
  ['0 15 16 ? * * *', '0 15 16 ? * *'],
])('the cron expression %s becomes %s, which can be deployed and converted again', async (text, expected) => {
  const { xml } = convertModel(start(text));
  expect(cycleIn(xml)).toBe(expected);
  expect(findings(start(text))).toContainEqual(
    `review: The cycle "${text}" became "${expected}". It runs in UTC, but ran in the time zone of the server. Adjust its hours.`,
  );
  const { problems } = await compile(xml);
  expect(problems.filter(({ message }) => message.includes('cycle'))).toEqual([]);
  expect(convertModel(xml).xml).toBe(xml);
});

it('a cron expression without an equivalent stays, and the finding names the part', () => {
  const model = start('0 0 9 ? * 6L');
  expect(cycleIn(convertModel(model).xml)).toBe('0 0 9 ? * 6L');
  expect(findings(model)).toContainEqual(expect.stringMatching(/^unsupported: .* the part "6L" of the day of week/));
});

it('a computed cycle is marked for review', () => {
  expect(findings(start('${when}'))).toContainEqual(expect.stringMatching(/^review: The cycle "=when" is computed/));
});

it('a cron expression that does not depend on the zone is converted silently or not at all', () => {
  expect(findings(start('0 0/5 * ? * * *'))).toContainEqual(expect.stringMatching(/^converted: The cycle .* became/));
  expect(findings(start('0 0/5 * ? * *')).filter((line) => line.includes('cycle'))).toEqual([]);
});

it('numbers of weekdays in a file that has extensions of both dialects are not guessed', () => {
  const both = around(
    `<boundaryEvent id="b" attachedToRef="a">${cycle('0 0 9 ? * 2')}</boundaryEvent>
    <userTask id="a" camunda:assignee="ann"><extensionElements><zeebe:userTask xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"/></extensionElements></userTask>`,
  );
  expect(cycleIn(convertModel(both).xml)).toBe('0 0 9 ? * 2');
  expect(findings(both)).toContainEqual(expect.stringMatching(/^unsupported: The cycle .* has weekdays as numbers/));
});

it.each([
  [
    'the note of Camunda Modeler',
    'xmlns:modeler="http://camunda.org/schema/modeler/1.0" modeler:executionPlatform="Camunda Platform"',
    '',
  ],
  ['a declaration of jBPM', 'xmlns:tns="http://www.jboss.org/drools"', ''],
  ['an expression in JUEL', '', '<conditionExpression>${go}</conditionExpression>'],
])(
  'a file that only %s shows to be of another engine means the same before and after',
  async (_, declaration, condition) => {
    // A date without a zone is converted in any file.
    const model = `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" ${declaration} id="d" targetNamespace="t">
  <process id="p" isExecutable="true">
    <startEvent id="s">${cycle('0 0 9 ? * 2-6')}</startEvent><userTask id="a"/><endEvent id="e"/>
    <intermediateCatchEvent id="c"><timerEventDefinition><timeDate>2030-01-01T00:00:00</timeDate></timerEventDefinition></intermediateCatchEvent>
    <sequenceFlow id="f" sourceRef="s" targetRef="c"/><sequenceFlow id="g" sourceRef="c" targetRef="a"/>
    <sequenceFlow id="h" sourceRef="a" targetRef="e">${condition}</sequenceFlow>
  </process>
</definitions>`;
    const cycleOf = async (xml: string) =>
      /0 0 9[^"]*/.exec(JSON.stringify((await compile(xml)).processes[0]?.graph))?.[0];
    expect(await cycleOf(model.replace('00:00:00<', '00:00:00Z<'))).toBe('0 0 9 ? * MON-FRI');
    const { xml } = convertModel(model);
    expect(xml).toContain('Camunda Cloud');
    expect(await cycleOf(xml)).toBe('0 0 9 ? * MON-FRI');
  },
);
