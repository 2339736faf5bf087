import { expect, test } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { flow, graphOf, problemsOf, processFile, through } from './support/model.js';

const START = '<bpmn:startEvent id="s"/>';
const unnamed = (source: string, target: string) => `<bpmn:sequenceFlow sourceRef="${source}" targetRef="${target}"/>`;

test('a file whose definitions have no id is known by its first process, which a warning says', async () => {
  const { definitionsID, processes, problems } = await compile(
    through('<bpmn:task id="m"/>').replace(' id="file"', ''),
  );

  expect(definitionsID).toBe('p');
  expect(processes).toHaveLength(1);
  expect(problems).toEqual([
    {
      severity: 'warning',
      message:
        'definitions has no id, so the id of the first process, "p", identifies the file. Give definitions an id to keep its revisions together when that process is renamed.',
    },
  ]);
});

test('sequence flows without an id are named after their ends', async () => {
  const graph = await graphOf(processFile(`${START}<bpmn:task id="m"/>${unnamed('s', 'm')}`));

  expect(graph.flows).toEqual([{ id: 's-m', source: 's', target: 'm' }]);
  expect(graph.nodes.map(({ incoming, outgoing }) => [incoming, outgoing])).toEqual([
    [[], []],
    [[], ['s-m']],
    [['s-m'], []],
  ]);
});

test('derived ids are unique among each other and all others of the file, and the same each time', async () => {
  const xml = processFile(
    `${START}<bpmn:parallelGateway id="a"/><bpmn:parallelGateway id="a-b"/><bpmn:task id="b-c"/><bpmn:task id="c"/>${unnamed('s', 'a')}${unnamed('a', 'b-c')}${unnamed('a-b', 'c')}${unnamed('a', 'b-c')}<bpmn:sequenceFlow id="a-b-c-3" sourceRef="a" targetRef="a-b"/>`,
  );

  expect((await graphOf(xml)).flows.map(({ id }) => id)).toEqual(['s-a', 'a-b-c', 'a-b-c-2', 'a-b-c-4', 'a-b-c-3']);
  expect(await graphOf(xml)).toEqual(await graphOf(xml));
});

test('a thousand flows without an id between two nodes with the longest ids get ids that are short enough', async () => {
  const [a, b] = ['a'.repeat(255), 'b'.repeat(255)] as const;
  const graph = await graphOf(
    processFile(`<bpmn:startEvent id="${a}"/><bpmn:task id="${b}"/>${unnamed(a, b).repeat(1000)}`),
  );

  expect(new Set(graph.flows.map(({ id }) => id)).size).toBe(1000);
  expect(Math.max(...graph.flows.map(({ id }) => id.length))).toBeLessThanOrEqual(255);
});

test('a problem of a flow without an id names its ends', async () => {
  expect(await problemsOf(processFile(`${START}${unnamed('s', 'nowhere')}`))).toEqual([
    'error s-nowhere: targetRef of sequenceFlow refers to "nowhere", but the file has no element with that id',
  ]);
});

test('an element without an id is named by its name', async () => {
  expect(await problemsOf(processFile(`${START}<bpmn:userTask name="Approve"/>${flow('f', 's', 's')}`))).toContain(
    'error p: A userTask named "Approve" inside p has no id',
  );
});
