import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  compareInThread,
  createChecker,
  evaluateInThread,
  type CheckResult,
} from '../../console/features/modeler/thread/checker.js';
import { checkFile, evaluateDecision } from '../../console/features/modeler/thread/check-file.js';
import { compareFiles } from '../../console/features/modeler/changes/changes.js';
import { oldOnes } from '../../console/features/modeler/copies/copy-limits.js';
import type { CheckedFile, ModelAnswer, ModelTask, Thread } from '../../console/features/modeler/thread/model-task.js';

/** Threads whose answers the test gives. */
class Threads {
  readonly tasks: ModelTask[] = [];
  readonly started: (Thread & { isEnded: boolean })[] = [];
  readonly start = (): Thread => {
    const thread: Thread & { isEnded: boolean } = {
      isEnded: false,
      onmessage: null,
      onerror: null,
      postMessage: (task: ModelTask) => void this.tasks.push(task),
      terminate: () => void (thread.isEnded = true),
    };
    this.started.push(thread);
    return thread;
  };
  answer(data: ModelAnswer): Promise<unknown> {
    this.started.at(-1)!.onmessage!({ data });
    return vi.advanceTimersByTimeAsync(0);
  }
}

const bpmn = (text: string): CheckedFile => ({ kind: 'BPMN', text, imported: [] });
const found = (message: string) => ({ kind: 'checked' as const, problems: [{ severity: 'error' as const, message }] });

describe('the check of a model while it is edited', () => {
  let threads: Threads;
  let results: CheckResult[];
  beforeEach(() => {
    vi.useFakeTimers();
    threads = new Threads();
    results = [];
  });
  afterEach(() => void vi.useRealTimers());

  it('checks one text at a time, then only the newest, and drops what is out of date', async () => {
    const checker = createChecker(threads.start, (result) => results.push(result));
    for (const text of ['1', '2', '3']) checker.check(bpmn(text));
    expect(threads.tasks).toEqual([{ kind: 'check', file: bpmn('1') }]);
    await threads.answer(found('of 1'));
    expect(results).toEqual([]);
    expect(threads.tasks.at(-1)).toEqual({ kind: 'check', file: bpmn('3') });
    await threads.answer(found('of 3'));
    expect(results).toEqual([{ problems: found('of 3').problems }]);
    expect(threads.started).toHaveLength(1);
  });

  it('ends a check that takes too long, says so, and checks the next text in another thread', async () => {
    const checker = createChecker(threads.start, (result) => results.push(result));
    checker.check(bpmn('endless'));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(threads.started[0]!.isEnded).toBe(true);
    expect(results).toEqual([{ failed: expect.stringContaining('longer than 10 seconds') }]);
    checker.check(bpmn('short'));
    await threads.answer(found('of short'));
    expect(threads.started).toHaveLength(2);
    expect(results.at(-1)).toEqual({ problems: found('of short').problems });
  });

  it('checks the next text in another thread after one that could not be loaded', async () => {
    const checker = createChecker(threads.start, (result) => results.push(result));
    checker.check(bpmn('1'));
    threads.started[0]!.onerror!({ message: '' });
    await vi.advanceTimersByTimeAsync(0);
    expect(results).toEqual([{ failed: 'The check could not be loaded.' }]);
    checker.check(bpmn('2'));
    expect(threads.started).toHaveLength(2);
    expect(threads.started[0]!.isEnded).toBe(true);
    await threads.answer(found('of 2'));
    expect(results.at(-1)).toEqual({ problems: found('of 2').problems });
  });

  it('says nothing after it was closed', async () => {
    const checker = createChecker(threads.start, (result) => results.push(result));
    checker.check(bpmn('1'));
    checker.close();
    await threads.answer(found('of 1'));
    expect(threads.started[0]!.isEnded).toBe(true);
    expect(results).toEqual([]);
  });

  it('evaluates a decision in another thread, and ends one that takes too long', async () => {
    const tried = { xml: 'decisions', imported: [], decisionID: 'one', context: { a: 1 }, now: 0 };
    const evaluation = evaluateInThread(threads.start(), tried);
    expect(threads.tasks).toEqual([{ kind: 'evaluate', tried }]);
    const refused = expect(evaluation).rejects.toThrow('It takes longer than 10 seconds');
    await vi.advanceTimersByTimeAsync(10_000);
    await refused;
    expect(threads.started[0]!.isEnded).toBe(true);
  });

  it('ends the thread of a comparison, and says why files cannot be compared', async () => {
    const comparison = compareInThread(threads.start(), 'a', 'b');
    const refused = expect(comparison).rejects.toThrow('The files cannot be compared. unparsable');
    await threads.answer({ kind: 'failed', reason: 'unparsable' });
    await refused;
    expect(threads.started[0]!.isEnded).toBe(true);
  });
});

describe('the thread that checks files', () => {
  const decisions = `<definitions xmlns="https://www.omg.org/spec/DMN/20230324/MODEL/" id="prices" name="prices" namespace="urn:prices">
    <inputData id="a" name="amount"><variable name="amount" typeRef="number"/></inputData>
    <decision id="net" name="net"><informationRequirement><requiredInput href="#a"/></informationRequirement>
      <decisionTable id="table"><input id="i"><inputExpression><text>amount</text></inputExpression></input><output id="o"/>
        <rule id="small"><inputEntry><text>&lt; 100</text></inputEntry><outputEntry><text>1</text></outputEntry></rule>
        <rule id="large"><inputEntry><text>&gt;= 100</text></inputEntry><outputEntry><text>2</text></outputEntry></rule>
      </decisionTable></decision></definitions>`;

  it('finds the inputs of decisions, and evaluates them with the rules that match', async () => {
    const checked = await checkFile({ kind: 'DMN', text: decisions, imported: [] });
    expect(checked).toMatchObject({
      problems: [],
      decisions: [{ decisionID: 'net', inputFields: [{ name: 'amount', typeRef: 'number' }] }],
    });
    const tried = { xml: decisions, imported: [], decisionID: 'net', context: { amount: 150 }, now: 0 };
    expect(evaluateDecision(tried)).toMatchObject({
      kind: 'evaluated',
      results: [{ value: 2, hitRules: [{ ruleID: 'large' }] }],
    });
    expect(evaluateDecision({ ...tried, xml: 'words' })).toMatchObject({ kind: 'failed' });
    expect(evaluateDecision({ ...tried, decisionID: 'none' })).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('"none"'),
    });
  });

  it('finds the place of a problem in a form', async () => {
    const form = (text: string) => checkFile({ kind: 'FORM', text, imported: [] });
    expect(await form('{"id": "ask", "components": []}')).toEqual({ problems: [] });
    expect((await form('{"id": "ask",\n "components": 1}')).problems).toMatchObject([
      { severity: 'error', message: 'A form needs a list of components' },
    ]);
    expect((await form('{"id": "ask",\n ]')).problems[0]?.message).toContain('see line 2, column 2.');
  });
});

const file = (content: string, y = 100) => `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
  xmlns:di="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" id="file" targetNamespace="urn:test">
  <process id="order" isExecutable="true">${content}</process>
  <di:BPMNDiagram id="diagram"><di:BPMNPlane id="plane" bpmnElement="order">
    <di:BPMNShape id="shape" bpmnElement="start"><dc:Bounds x="100" y="${y}" width="36" height="36" /></di:BPMNShape>
  </di:BPMNPlane></di:BPMNDiagram>
</definitions>`;
const start = '<startEvent id="start" name="Begin" />';

describe('the changes between two files', () => {
  it('are the elements that were added, removed, changed, and moved', async () => {
    const before = file(`${start}<task id="pay" name="Pay" /><task id="old" />`);
    const after = file(`${start}<task id="pay" name="Pay at once" /><userTask id="approve" />`, 180);
    expect(await compareFiles(before, after)).toEqual([
      { kind: 'added', id: 'approve', name: undefined, type: 'userTask', members: [] },
      { kind: 'removed', id: 'old', name: undefined, type: 'task', members: [] },
      { kind: 'changed', id: 'pay', name: 'Pay at once', type: 'task', members: ['name'] },
      { kind: 'moved', id: 'start', name: 'Begin', type: 'startEvent', members: [] },
    ]);
  });

  it('include extensions, and messages, which no diagram shows', async () => {
    const withType = (type: string, message: string) =>
      file(
        `${start}<serviceTask id="pay"><extensionElements><zeebe:taskDefinition xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" type="${type}" /></extensionElements></serviceTask>`,
      ).replace('<process', `<message id="paid" name="${message}" /><process`);
    const changes = await compareFiles(withType('charge', 'paid'), withType('charge-card', 'was paid'));
    expect(changes.map(({ kind, id }) => `${kind} ${id}`).sort()).toEqual(['changed paid', 'changed pay']);
  });

  it('are none between a file and itself in another format', async () => {
    expect(await compareFiles(file(start), file(`\n  ${start}\n`))).toEqual([]);
    const [name, written] = ['Begin 😀 now', 'Begin &#x1F600;\r\nnow'].map((text) => start.replace('Begin', text));
    expect(await compareFiles(file(name!), file(written!))).toEqual([]);
  });

  it('cannot be found in what is not BPMN', async () => {
    await expect(compareFiles(file(start), 'words')).rejects.toThrow();
  });
});

describe('the local copies that a browser keeps', () => {
  const day = 24 * 60 * 60 * 1000;

  it('are the newest, up to a number, of the last 30 days', () => {
    const copies = Array.from({ length: 25 }, (_, index) => ({
      key: `copy ${index}`,
      at: 100 * day - index * 2 * day,
    }));
    expect(oldOnes(copies, 20, 100 * day)).toEqual(copies.slice(15).map(({ key }) => key));
    expect(
      oldOnes(
        copies.map((copy) => ({ ...copy, at: 100 * day })),
        20,
        100 * day,
      ),
    ).toHaveLength(5);
  });
});
