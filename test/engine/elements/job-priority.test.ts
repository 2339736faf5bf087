import { describe, expect, it } from 'vitest';
import { endEvent, sequenceFlow, serviceTask, startEvent, subProcess, processModel } from '@perdure/testkit/models';
import { MemoryHost } from '../../../packages/testkit/memory-host.js';

const definition = (priority: string) => `<zeebe:jobPriorityDefinition priority="${priority}"/>`;
const workOf = (priority?: string) =>
  serviceTask('work', priority === undefined ? {} : { extensions: definition(priority) });

function model(task: string, ofProcess = ''): string {
  const xml = processModel('p', [startEvent('s'), task, endEvent('e')], ['s -> work -> e']);
  return xml.replace('<bpmn:startEvent id="s"', `${ofProcess}<bpmn:startEvent id="s"`);
}
const ofProcess = (priority: string) => `<bpmn:extensionElements>${definition(priority)}</bpmn:extensionElements>`;

async function priorityIn(xml: string, variables = {}): Promise<number | undefined> {
  const host = await MemoryHost.deploy(xml);
  const instance = host.start('p', variables);
  const created = host.facts(instance).find(({ kind }) => kind === 'JOB_CREATED');
  return created?.kind === 'JOB_CREATED' ? created.priority : undefined;
}

describe('the priority of a job', () => {
  it.each([
    ['7', 7],
    ['-3', -3],
    ['2147483647', 2_147_483_647],
    ['-2147483648', -2_147_483_648],
    ['=urgency * 2', 84],
    ['=urgent', 5],
    ['=null', undefined],
    ['0', undefined],
    ['-0', undefined],
  ])('is %s in the model', async (given, priority) => {
    expect(await priorityIn(model(workOf(given)), { urgency: 42, urgent: '5' })).toBe(priority);
  });

  it('is that of the process unless the task has its own', async () => {
    expect(await priorityIn(model(workOf(), ofProcess('=urgency')), { urgency: 4 })).toBe(4);
    expect(await priorityIn(model(workOf('9'), ofProcess('4')))).toBe(9);
  });

  it('is not that of a sub-process', async () => {
    const inner = subProcess('around', [startEvent('is'), workOf(), endEvent('ie')], ['is -> work -> ie'], {
      extensions: definition('6'),
    });
    const flows = [sequenceFlow('f', 's', 'around'), sequenceFlow('g', 'around', 'e')];
    const xml = processModel('p', [startEvent('s'), inner, endEvent('e'), ...flows], []);
    expect(await priorityIn(xml)).toBeUndefined();
  });

  it('is the taskPriority of Camunda 7', async () => {
    const foreign = (xml: string) =>
      xml
        .replace('<bpmn:serviceTask id="work"', '<bpmn:serviceTask id="work" camunda:taskPriority="8"')
        .replace('<bpmn:definitions', '<bpmn:definitions xmlns:camunda="http://camunda.org/schema/1.0/bpmn"');
    expect(await priorityIn(foreign(model(workOf())))).toBe(8);
  });

  it.each([['high'], [1.5], [2_147_483_648], [[1]], [true]])('makes an incident and no job of %j', async (given) => {
    const host = await MemoryHost.deploy(model(workOf('=given')));
    const instance = host.start('p', { given });
    expect(host.incidents(instance)).toMatchObject([{ node: 'work', errorType: 'FeelError' }]);
    expect(host.waiting(instance)).toEqual([]);
    host.resolve(instance, 'work', { given: 3 });
    expect(host.waiting(instance)).toEqual(['job work']);
  });

  it.each(['high', '2147483648', '1.5'])('cannot be %s', async (given) => {
    await expect(MemoryHost.deploy(model(workOf(given)))).rejects.toThrow(/job priority of work must be/);
  });
});
