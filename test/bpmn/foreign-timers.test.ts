/** Cron expressions in files of engines that number weekdays as Quartz does. */
import { describe, expect, it } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { MemoryHost } from '../../packages/testkit/memory-host.js';

const CAMUNDA_7 = 'xmlns:camunda="http://camunda.org/schema/1.0/bpmn"';
const ZEEBE = 'xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"';
const platform = (name: string) =>
  `xmlns:modeler="http://camunda.org/schema/modeler/1.0" modeler:executionPlatform="${name}"`;

const cycle = (text: string) => `<timerEventDefinition><timeCycle>${text}</timeCycle></timerEventDefinition>`;

function model(declarations: string, elements: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" ${declarations} id="d" targetNamespace="t">
  <process id="p" isExecutable="true">${elements}</process>
</definitions>`;
}

const reminder = (text: string, declarations = CAMUNDA_7) =>
  model(
    declarations,
    `<startEvent id="s"/><userTask id="work"/>
    <boundaryEvent id="remind" attachedToRef="work" cancelActivity="false">${cycle(text)}</boundaryEvent>
    <endEvent id="e"/>
    <sequenceFlow id="a" sourceRef="s" targetRef="work"/><sequenceFlow id="b" sourceRef="remind" targetRef="e"/>`,
  );

async function problemsOf(xml: string): Promise<string[]> {
  const { problems } = await compile(xml);
  return problems.map(({ severity, message }) => `${severity}: ${message}`);
}

/** Due times of the first timer, day and hour, as it ticks five times. */
async function ticksOf(xml: string): Promise<string[]> {
  const host = await MemoryHost.deploy(xml);
  const instance = host.start('p');
  const found: string[] = [];
  for (let tick = 0; tick < 5; tick += 1) {
    const { due } = host.wait(instance, 'timer', 'remind');
    found.push(new Date(due).toUTCString().slice(0, 3));
    host.advance(due - host.now);
  }
  return found;
}

describe.each([
  ['Camunda 7', CAMUNDA_7],
  ['Operaton', 'xmlns:operaton="http://operaton.org/schema/1.0/bpmn"'],
  ['Activiti', 'xmlns:activiti="http://activiti.org/bpmn"'],
  ['Flowable', 'xmlns:flowable="http://flowable.org/bpmn"'],
  ['jBPM', 'xmlns:tns="http://www.jboss.org/drools"'],
])('a timer in a file of %s', (_, declarations) => {
  it('counts weekdays from Sunday, and says that it runs in UTC', async () => {
    const xml = reminder('0 0 9 ? * 2-6', declarations);
    expect(await problemsOf(xml)).toEqual([
      'warning: The timer cycle "0 0 9 ? * 2-6", a cron expression of Quartz, runs as "0 0 9 ? * MON-FRI", and runs in UTC, but there in the time zone of the server: adjust its hours',
    ]);
    // The first of January 2026 is a Thursday.
    expect(await ticksOf(xml)).toEqual(['Thu', 'Fri', 'Mon', 'Tue', 'Wed']);
  });
});

describe('a timer of another engine', () => {
  it.each([
    [
      'a start event',
      `<startEvent id="s">${cycle('0 0 9 ? * 1')}</startEvent><endEvent id="e"/><sequenceFlow id="a" sourceRef="s" targetRef="e"/>`,
    ],
    [
      'the start event of an event sub-process',
      `<startEvent id="s"/><endEvent id="e"/><sequenceFlow id="a" sourceRef="s" targetRef="e"/>
      <subProcess id="sub" triggeredByEvent="true"><startEvent id="t" isInterrupting="false">${cycle('0 0 9 ? * 1')}</startEvent><endEvent id="f"/><sequenceFlow id="b" sourceRef="t" targetRef="f"/></subProcess>`,
    ],
  ])('is translated at %s', async (_, elements) => {
    const { processes, problems } = await compile(model(CAMUNDA_7, elements));
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(JSON.stringify(processes[0]!.graph)).toContain('0 0 9 ? * SUN');
  });

  it('may have a year of *, which is dropped', async () => {
    expect(await problemsOf(reminder('0 0/5 * ? * * *'))).toEqual([
      'warning: The timer cycle "0 0/5 * ? * * *", a cron expression of Quartz, runs as "0 0/5 * ? * *"',
    ]);
  });

  it.each([
    ['0 0 9 ? * 2 2030', 'the year "2030" has no equivalent'],
    ['0 0 9 L * ?', 'the part "L" of the day of month (L: the last day)'],
    ['0 0 9 ? * 6#3', 'the part "6#3" of the day of week (#: a weekday of a certain week)'],
    ['0 0 9 15W * ?', 'the part "15W" of the day of month (W: the nearest weekday)'],
  ])('%s is refused by the part without an equivalent', async (text, reason) => {
    const problems = await problemsOf(reminder(text));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`error: The timer cycle ${JSON.stringify(text)} is a cron expression of Quartz: `);
    expect(problems[0]).toContain(reason);
  });

  it.each(['=when', '${when}'])('%s is computed: a warning says what it may return', async (text) => {
    expect((await problemsOf(reminder(text))).filter((line) => line.startsWith('warning: The timer cycle'))).toEqual([
      expect.stringContaining('A cron expression that it returns is not translated'),
    ]);
  });

  it.each(['R3/PT10M', '0 0/5 * * * ?'])('%s means the same, and nothing is said', async (text) => {
    expect(await problemsOf(reminder(text))).toEqual([]);
  });
});

describe('numbers of weekdays', () => {
  it.each([
    ['a plain file', ''],
    ['a file of Camunda 8', ZEEBE],
    ['a file of Camunda 8 that declares Camunda 7 and uses nothing of it', `${CAMUNDA_7} ${ZEEBE}`],
    ['a file for Camunda 8 that says so', `${CAMUNDA_7} ${ZEEBE} ${platform('Camunda Cloud')}`],
  ])('count from Monday in %s', async (_, declarations) => {
    const xml = reminder('0 0 9 ? * 1-5', declarations);
    expect(await problemsOf(xml)).toEqual([]);
    expect(await ticksOf(xml)).toEqual(['Thu', 'Fri', 'Mon', 'Tue', 'Wed']);
  });

  const ofBoth = (text: string) =>
    reminder(text, `${CAMUNDA_7} ${ZEEBE}`).replace(
      '<userTask id="work"/>',
      '<userTask id="work" camunda:assignee="ann"><extensionElements><zeebe:userTask/></extensionElements></userTask>',
    );

  it('are refused in a file with extensions of both', async () => {
    expect(await problemsOf(ofBoth('0 0 9 ? * 2-6'))).toEqual([
      'error: The weekdays of the timer cycle "0 0 9 ? * 2-6" are numbers, and the file has extensions of engines that count them differently: 1 is Monday here and Sunday there. Write names, such as MON-FRI.',
    ]);
    expect(await problemsOf(ofBoth('0 0 9 ? * MON-FRI'))).toEqual([]);
  });
});
