/** The scenarios of the modeler, without a browser: the worker is a suite in this process. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { callActivity, sequenceModel, serviceTask, userTask } from '@perdure/testkit/models';
import {
  MAX_SCENARIOS,
  processOf,
  scenarioFileName,
  withScenarios,
  type KeptScenario,
} from '../../console/features/modeler/copies/scenario-limits.js';
import { failuresByNode, RUN_LIMITS, ScenarioRunner } from '../../console/features/modeler/scenarios/runner.js';
import type { Wanted } from '../../console/features/play/play-file.js';
import { Stopped, type Connection, type Questions } from '../../console/features/play/protocol.js';
import { ScenarioSuite } from '../../packages/testkit/scenario/suite.js';

const file = {
  name: 'order.bpmn',
  text: sequenceModel('order', [userTask('look'), callActivity('ship', 'shipping')]),
};
const shipping = sequenceModel('shipping', [serviceTask('pack')]);

function scenario(name: string, content: object): KeptScenario {
  const whole = { name, process: 'order', start: {}, steps: [], ...content };
  return { file: `${name}.scenario.json`, text: JSON.stringify(whole) };
}
const passing = scenario('waits', { expect: { active: ['look'] } });
const failing = scenario('ends', { expect: { passed: ['ship'] } });
const shipped = scenario('ships', {
  steps: [{ completeTask: { node: 'look' } }, { completeJob: { node: 'pack' } }],
  expect: { status: 'COMPLETED' },
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** @param hangs whether the worker never answers for this scenario */
function runnerOf(project: Record<string, string> = {}, hangs: (file: string) => boolean = () => false) {
  const asked: string[] = [];
  const ran: string[] = [];
  const closed: boolean[] = [];
  const clock = { now: 0 };
  const runner = new ScenarioRunner({
    now: () => clock.now,
    connect(): Connection {
      const number = closed.push(false) - 1;
      let suite: ScenarioSuite | undefined;
      let fail: (error: Error) => void = () => undefined;
      const answer = async (kind: string, content: object) => {
        if (kind === 'openSuite') {
          suite = await ScenarioSuite.open((content as Questions['openSuite']).files);
          return { elements: suite.elements };
        }
        const { file: name, text } = content as Questions['runScenario'];
        ran.push(name);
        return hangs(name) ? new Promise((_, reject) => (fail = reject)) : suite!.run(text, name);
      };
      return {
        ask: (kind, content) => answer(kind, content) as Promise<never>,
        close() {
          closed[number] = true;
          fail(new Stopped('stopped'));
        },
      };
    },
    async findFile({ kind, id }: Wanted) {
      asked.push(`${kind} ${id}`);
      const text = project[id];
      return text === undefined ? undefined : { name: 'order.bpmn', text };
    },
  });
  return { runner, asked, ran, closed, clock };
}

const ended = (runner: ScenarioRunner) => vi.waitFor(() => expect(runner.state().isRunning).toBe(false));
const outcomes = (runner: ScenarioRunner) => runner.state().results.map(({ name, outcome }) => `${name} ${outcome}`);

it('runs all scenarios, and shows where they fail and what they cover', async () => {
  const { runner } = runnerOf();
  runner.run(file, [failing, passing]);
  await ended(runner);
  expect(outcomes(runner)).toEqual(['ends failed', 'waits passed']);
  const { results, elements, reached } = runner.state();
  expect([...failuresByNode(results)]).toEqual([['ship', 1]]);
  expect([...reached]).toContain('look');
  expect([...reached]).not.toContain('ship');
  expect(elements).toContain('ship');
});

it('gets called processes from the project once, also for the runs that follow', async () => {
  const { runner, asked } = runnerOf({ shipping });
  runner.run(file, [shipped]);
  await ended(runner);
  expect(outcomes(runner)).toEqual(['ships passed']);
  runner.run(file, [shipped, passing]);
  await ended(runner);
  expect(outcomes(runner)).toEqual(['ships passed', 'waits passed']);
  expect(asked).toEqual(['process shipping']);
});

it('ends a scenario that takes too long, and runs the others in another worker', async () => {
  const { runner, closed } = runnerOf({}, (name) => name === failing.file);
  runner.run(file, [failing, passing]);
  await vi.waitFor(() => expect(runner.state().elements).toEqual([]));
  await vi.advanceTimersByTimeAsync(RUN_LIMITS.scenarioMs);
  await ended(runner);
  expect(runner.state().results).toMatchObject([
    { outcome: 'failed', failure: { message: expect.stringContaining('longer than 5 seconds') } },
    { outcome: 'passed' },
  ]);
  expect(closed).toEqual([true, false]);
});

it('leaves out scenarios when all together take too long', async () => {
  const { runner, clock, ran } = runnerOf({}, (name) => {
    clock.now += RUN_LIMITS.allMs;
    return name === 'never';
  });
  runner.run(file, [passing, failing]);
  await ended(runner);
  expect(outcomes(runner)).toEqual(['waits passed', 'ends.scenario.json notRun']);
  expect(ran).toEqual([passing.file]);
});

it('ends the run of the text before, whose results are dropped', async () => {
  let isHanging = true;
  const { runner, closed } = runnerOf({}, () => isHanging);
  runner.run(file, [failing]);
  await vi.advanceTimersByTimeAsync(1);
  isHanging = false;
  runner.run(file, [passing]);
  await ended(runner);
  expect(closed).toEqual([true, false]);
  expect(outcomes(runner)).toEqual(['waits passed']);
  runner.run(file, []);
  expect(runner.state()).toMatchObject({ results: [], isRunning: false });
});

it('is stopped by the user, and keeps the results so far', async () => {
  const { runner, closed } = runnerOf({}, (name) => name === failing.file);
  runner.run(file, [passing, failing]);
  await vi.waitFor(() => expect(runner.state().results).toHaveLength(1));
  runner.stop();
  expect(runner.state().isRunning).toBe(false);
  expect(outcomes(runner)).toEqual(['waits passed']);
  expect(closed).toEqual([true]);
});

it('says why nothing runs while the model has errors', async () => {
  const { runner } = runnerOf();
  runner.run({ ...file, text: '<no model/>' }, [passing]);
  await ended(runner);
  expect(runner.state()).toMatchObject({ results: [], error: expect.objectContaining({ name: expect.any(String) }) });
  expect(String(runner.state().error)).toContain('order.bpmn');
});

it('a process has a bounded number of scenarios of a bounded size, each file once', () => {
  expect(withScenarios([passing, failing], [{ ...passing, text: 'new' }])).toEqual([
    failing,
    { ...passing, text: 'new' },
  ]);
  const many = Array.from({ length: MAX_SCENARIOS + 1 }, (_, number) => ({ file: `${number}`, text: '' }));
  expect(() => withScenarios([], many)).toThrow('at most 100 scenarios');
  expect(() => withScenarios([], [{ file: 'a', text: 'x'.repeat(5_000_001) }])).toThrow('at most 5,000,000 characters');
});

it('the file of a scenario names its process, and is named after the scenario', () => {
  expect(processOf(passing)).toBe('order');
  expect(() => processOf({ file: 'a.json', text: '{' })).toThrow('a.json is not JSON');
  for (const text of ['null', '[]', '{"process": 1}'])
    expect(() => processOf({ file: 'a.json', text })).toThrow('a.json is not a scenario');
  expect(scenarioFileName('A large order, as played')).toBe('a-large-order-as-played.scenario.json');
  expect(scenarioFileName('!')).toBe('played.scenario.json');
});
