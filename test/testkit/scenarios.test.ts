/** Scenarios: tests of processes as data. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobResult } from '@perdure/engine/contract/commands.js';
import {
  InvalidScenario,
  openBundle,
  readScenario,
  runScenario,
  ScenarioCoverage,
  scenarioSchema,
  testScenario,
  type Scenario,
  type ScenarioFile,
} from '@perdure/testkit';
import {
  adHocSubProcess,
  boundaryEvent,
  businessRuleTask,
  callActivity,
  endEvent,
  exclusiveGateway,
  catchEvent,
  multiInstance,
  on,
  parallelGateway,
  processModel,
  root,
  sequenceModel,
  serviceTask,
  startEvent,
  task,
  userTask,
} from '@perdure/testkit/models';

const order = processModel(
  'order',
  [
    startEvent('start'),
    serviceTask('charge', { type: 'charge-card', retries: 2 }),
    boundaryEvent('declined', 'charge', on.error('DECLINED')),
    userTask('approve'),
    callActivity('ship', 'shipping'),
    endEvent('done'),
    endEvent('canceled'),
  ],
  ['start -> charge -> approve -> ship -> done', 'declined -> canceled'],
  root.error('DECLINED'),
);
const files = [model('order.bpmn', order)];
const turns = multiInstance('=[1, 2, 3]');

function model(name: string, text: string): ScenarioFile {
  return { name, text };
}

async function play(given: Partial<Scenario>, models: readonly ScenarioFile[] = files) {
  return runScenario({ name: 'a test', process: 'order', start: {}, steps: [], ...given }, await openBundle(models));
}

describe('a scenario', () => {
  it('plays job workers, people, and called processes that are in none of the files', async () => {
    const result = await play({
      steps: [
        { completeJob: { type: 'charge-card', variables: { paid: true } } },
        {
          expect: {
            active: ['approve'],
            passed: ['start', 'charge'],
            notPassed: ['ship'],
            variables: { paid: true, tip: null },
          },
        },
        { completeTask: { node: 'approve' } },
        { call: { node: 'ship', variables: { parcel: 'p1' } } },
      ],
      expect: { status: 'COMPLETED', active: [], variables: { parcel: 'p1' } },
    });
    expect(result).toEqual({ name: 'a test', steps: 4 });
  });

  it('throws errors, and fails jobs until their attempts are used', async () => {
    const declined = await play({
      steps: [{ throwError: { node: 'charge', code: 'DECLINED' } }],
      expect: { status: 'COMPLETED', passed: ['canceled'], notPassed: ['approve'] },
    });
    expect(declined.failure).toBeUndefined();
    const failed = await play({
      steps: [
        { failJob: { node: 'charge' } },
        { expect: { active: ['charge'], incidents: [] } },
        { failJob: { node: 'charge', message: 'no connection' } },
        { expect: { incidents: [{ node: 'charge', type: 'BpmnError' }] } },
        { resolve: { node: 'charge' } },
        { failJob: { node: 'charge', retries: 0 } },
      ],
      expect: { incidents: [{ node: 'charge' }] },
    });
    expect(failed.failure).toBeUndefined();
  });

  it('is started by a message, and advances to the next timer or by a duration', async () => {
    const waits = processModel(
      'order',
      [
        startEvent('start', on.message('placed')),
        catchEvent('hour', on.timer('PT1H')),
        catchEvent('day', on.timer('P1D')),
        endEvent('end'),
      ],
      ['start -> hour -> day -> end'],
      root.message('placed'),
    );
    const result = await play(
      {
        start: undefined,
        steps: [
          { publish: { message: 'placed', variables: { total: 7 } } },
          { expect: { active: ['hour'], variables: { total: 7 } } },
          { advance: 'next timer' },
          { expect: { active: ['day'] } },
          { advance: '23h59m' },
          { expect: { active: ['day'] } },
          { advance: 'PT1M' },
        ],
        expect: { status: 'COMPLETED' },
      },
      [model('order.bpmn', waits)],
    );
    expect(result.failure).toBeUndefined();
  });

  it('looks in the first instance, then in those it called; "in" selects one', async () => {
    const parent = processModel(
      'order',
      [
        startEvent('start'),
        parallelGateway('fork'),
        callActivity('one', 'child'),
        callActivity('two', 'child'),
        endEvent('a'),
        endEvent('b'),
      ],
      ['start -> fork -> one -> a', 'fork -> two -> b'],
    );
    const models = [model('order.bpmn', parent), model('child.bpmn', sequenceModel('child', [serviceTask('work')]))];
    const { failure } = await play(
      {
        steps: [
          { completeJob: { node: 'work', in: 'two' } },
          { expect: { active: ['one'], passed: ['two'] } },
          { completeJob: { node: 'work', in: 'two' } },
        ],
      },
      models,
    );
    expect(failure).toMatchObject({
      at: 'steps[2].completeJob',
      message: 'there is no job at work, called by two',
      differences: [{ expected: 'a job at work, called by two', found: 'none' }],
    });
  });

  it('that fails says where, what was expected, and what is there instead', async () => {
    const { failure, steps } = await play({
      start: { variables: { total: 7 } },
      steps: [{ completeJob: { node: 'charge' } }, { completeJob: { type: 'pack' } }],
    });
    expect(steps).toBe(1);
    expect(failure).toMatchObject({ at: 'steps[1].completeJob', message: 'there is no job of type pack' });
    expect(failure!.state).toContain('waits at approve for a person');
    const wrong = await play({
      start: { variables: { total: 7 } },
      expect: { status: 'COMPLETED', active: ['approve'], passed: ['charge'], variables: { total: 8 } },
    });
    expect(wrong.failure?.differences).toEqual([
      { what: 'status', expected: 'COMPLETED', found: 'RUNNING' },
      { what: 'active', expected: 'approve', found: 'charge' },
      { what: 'passed', expected: 'charge', found: 'start' },
      { what: 'variables.total', expected: '8', found: '7' },
    ]);
  });

  it('fails at its end if an unexpected incident is open', async () => {
    const { failure } = await play({ steps: [{ failJob: { node: 'charge', retries: 0 } }] });
    expect(failure).toMatchObject({ at: 'expect', message: 'an incident is open that no step expects' });
    expect(failure!.differences[0]!.found).toContain('charge');
  });

  it('of a process that is in none of the files fails with the processes that are', async () => {
    const { failure } = await play({ process: 'ordr' });
    expect(failure?.differences).toEqual([{ what: 'process', expected: 'ordr', found: 'order' }]);
  });

  it('of 10,000 steps takes seconds', async () => {
    const again = processModel(
      'order',
      [startEvent('start'), exclusiveGateway('merge'), serviceTask('work')],
      ['start -> merge -> work -> merge'],
    );
    const steps = Array.from({ length: 10_000 }, () => ({ completeJob: { node: 'work' } }));
    const result = await play({ steps }, [model('order.bpmn', again)]);
    expect(result).toEqual({ name: 'a test', steps: 10_000 });
  }, 120_000);
});

describe('a model without end', () => {
  it('of loops ends the scenario', async () => {
    const loop = processModel(
      'order',
      [startEvent('start'), exclusiveGateway('merge'), task('again')],
      ['start -> merge', 'merge -> again', 'again -> merge'],
    );
    const { failure } = await play({}, [model('order.bpmn', loop)]);
    expect(failure).toMatchObject({ at: 'start', message: expect.stringContaining('does not come to rest') });
  }, 120_000);

  it('of repeating timers ends the scenario', async () => {
    const timer = processModel(
      'order',
      [
        startEvent('start'),
        serviceTask('work'),
        boundaryEvent('tick', 'work', on.cycle('R/PT1S'), { interrupting: false }),
        endEvent('end'),
        endEvent('ticked'),
      ],
      ['start -> work -> end', 'tick -> ticked'],
    );
    const { failure } = await play({ steps: [{ advance: 'P3650D' }] }, [model('order.bpmn', timer)]);
    expect(failure).toMatchObject({
      at: 'steps[0].advance',
      message: expect.stringContaining('does not come to rest'),
    });
  }, 120_000);

  it('of processes that call each other ends in an incident, and wide ones end the scenario', async () => {
    const circle = [
      model('order.bpmn', sequenceModel('order', [callActivity('there', 'other')])),
      model('other.bpmn', sequenceModel('other', [callActivity('back', 'order')])),
    ];
    expect((await play({}, circle)).failure!.message).toBe('an incident is open that no step expects');
    const wide = processModel(
      'order',
      [
        startEvent('start'),
        parallelGateway('fork'),
        callActivity('a', 'order'),
        callActivity('b', 'order'),
        endEvent('x'),
        endEvent('y'),
      ],
      ['start -> fork -> a -> x', 'fork -> b -> y'],
    );
    expect((await play({}, [model('order.bpmn', wide)])).failure!.message).toMatch(/does not come to rest|too deeply/);
  });
});

describe('several waits at one element', () => {
  const parcels = [model('order.bpmn', sequenceModel('order', [serviceTask('pack', { loop: turns }), callParcel()]))];

  function callParcel(): string {
    return callActivity('send', 'parcel', { loop: turns });
  }

  it('are counted, oldest first', async () => {
    const steps = [
      { throwError: { node: 'pack', nth: 3, code: 'LOST' } },
      { resolve: { node: 'pack', nth: 1 } },
      ...[3, 2, 1].map((nth) => ({ completeJob: { node: 'pack', nth } })),
      { call: { node: 'send', nth: 2, error: 'LATE' } },
    ];
    readScenario(JSON.stringify({ name: 'x', process: 'order', steps }), 'x.scenario.json');
    const { failure } = await play({ steps, expect: { incidents: [{ node: 'send' }] } }, parcels);
    expect(failure).toBeUndefined();
  });

  it('fail a step that counts further than there are', async () => {
    const { failure } = await play({ steps: [{ failJob: { node: 'pack', nth: 4 } }] }, parcels);
    expect(failure).toMatchObject({
      message: 'there is no job at pack, number 4',
      differences: [{ expected: 'a job at pack, number 4', found: 'pack (pack), pack (pack), pack (pack)' }],
    });
  });
});

describe('an ad-hoc sub-process', () => {
  const care = [
    model(
      'order.bpmn',
      processModel(
        'order',
        [startEvent('start'), adHocSubProcess('care', [userTask('ring'), userTask('write')]), endEvent('end')],
        'start -> care -> end',
      ),
    ),
  ];
  const begin = (activity: string, node = 'care') => ({ triggerAdHoc: { node, activity } });

  it('starts activities, also while another one is active', async () => {
    const steps = [
      begin('ring'),
      begin('write'),
      { completeTask: { node: 'write' } },
      { completeTask: { node: 'ring' } },
    ];
    readScenario(JSON.stringify({ name: 'x', process: 'order', steps }), 'x.scenario.json');
    const { failure } = await play({ steps, expect: { passed: ['write', 'ring', 'care'], status: 'COMPLETED' } }, care);
    expect(failure).toBeUndefined();
  });

  it('fails a step that names an activity or a sub-process that is not there', async () => {
    expect((await play({ steps: [begin('end')] }, care)).failure?.message).toContain('has no element end');
    expect((await play({ steps: [begin('ring', 'other')] }, care)).failure).toMatchObject({
      message: 'there is no active ad-hoc sub-process at other',
      differences: [{ found: 'care' }],
    });
  });
});

describe('a job that drives an ad-hoc sub-process', () => {
  const driven = [
    model(
      'order.bpmn',
      processModel(
        'order',
        [startEvent('start'), adHocSubProcess('agent', [serviceTask('tool')], [], { job: 'agent' }), endEvent('end')],
        'start -> agent -> end',
      ),
    ),
  ];
  const decide = (result: JobResult) => ({ completeJob: { node: 'agent', result } });

  it('is completed with a decision', async () => {
    const steps = [
      decide({ activateElements: [{ elementId: 'tool', variables: { query: 'a' } }] }),
      { expect: { active: ['agent', 'agent#innerInstance', 'tool'] } },
      { completeJob: { node: 'tool' } },
      decide({ isCompletionConditionFulfilled: true }),
    ];
    const scenario = { name: 'driven', process: 'order', start: {}, steps, expect: { status: 'COMPLETED' } };
    readScenario(JSON.stringify(scenario), 'driven.scenario.json');
    expect((await play({ steps, expect: { status: 'COMPLETED' } }, driven)).failure).toBeUndefined();
  });

  it('fails the scenario if its decision is impossible, and a file with another decision is refused', async () => {
    const steps = [decide({ activateElements: [{ elementId: 'other' }] })];
    expect((await play({ steps }, driven)).failure!.message).toContain('has no element other');
    const wrong = {
      name: 'x',
      process: 'order',
      steps: [{ completeJob: { node: 'a', result: { isCompletionConditionFulfilled: 'yes' } } }],
    };
    expect(() => readScenario(JSON.stringify(wrong), 'x.scenario.json')).toThrow('must be true or false, found "yes"');
  });
});

it('the published JSON Schema is the one that files are checked against', () => {
  const published = new URL('../../packages/testkit/scenario.schema.json', import.meta.url);
  const found = `${JSON.stringify(scenarioSchema, null, 2)}\n`;
  if (process.env['ACCEPT_GOLDEN'] === '1') writeFileSync(published, found);
  expect(JSON.parse(readFileSync(published, 'utf8'))).toEqual(scenarioSchema);
});

describe('coverage', () => {
  it('counts nodes, flows, and rules of all files, reached or not', async () => {
    const decision = `<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="d" name="d" namespace="urn:d">
      <decision id="discount" name="discount"><variable name="discount"/><decisionTable>
        <input id="i"><inputExpression><text>total</text></inputExpression></input><output id="o"/>
        <rule id="small"><inputEntry><text>&lt; 100</text></inputEntry><outputEntry><text>0</text></outputEntry></rule>
        <rule><inputEntry><text>&gt;= 100</text></inputEntry><outputEntry><text>10</text></outputEntry></rule>
      </decisionTable></decision></definitions>`;
    const uses = sequenceModel('order', [businessRuleTask('decide', 'discount', 'discount'), serviceTask('work')]);
    const bundle = await openBundle([model('order.bpmn', uses), model('discount.dmn', decision)]);
    const coverage = new ScenarioCoverage();
    const run = (total: number, name: string) =>
      runScenario(
        { name, process: 'order', start: { variables: { total } }, steps: [{ expect: { active: ['work'] } }] },
        bundle,
        coverage,
      );
    expect(run(7, 'small').failure).toBeUndefined();
    expect(coverage.report().files).toEqual([
      { file: 'discount.dmn', covered: 1, total: 2, missed: ['discount rule 2'] },
      { file: 'order.bpmn', covered: 5, total: 7, missed: ['end', expect.any(String)] },
    ]);
    run(700, 'large');
    expect(coverage.report()).toMatchObject({ covered: 7, total: 9, percent: (7 / 9) * 100 });
  });
});

describe('a file', () => {
  let folder: string;
  const write = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'perdure-scenarios-'));
    write('order.bpmn', order);
    mkdirSync(join(folder, 'below'));
    write('below/order.bpmn', order);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('uses all models of its folder, not those below', async () => {
    const file = write('one.scenario.json', JSON.stringify({ name: 'one', process: 'order', start: {}, steps: [] }));
    await testScenario(file);
  });

  it('names the files that it uses, and one that is missing', async () => {
    const scenario = { name: 'one', process: 'order', start: {}, steps: [], files: ['no.bpmn'] };
    await expect(testScenario(write('two.scenario.json', JSON.stringify(scenario)))).rejects.toThrow('no.bpmn');
    await testScenario(write('three.scenario.json', JSON.stringify({ ...scenario, files: ['below/order.bpmn'] })));
  });

  it('in UTF-16 is read as it is', async () => {
    const text = JSON.stringify({
      name: 'Größe',
      process: 'order',
      start: {},
      steps: [{ completeJob: { node: 'x' } }],
    });
    const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le');
    await expect(testScenario(write('utf16.scenario.json', bytes))).rejects.toThrow('there is no job at x');
  });

  it('that is wrong is refused with the path and the expectation of every problem', () => {
    const wrong = {
      name: '',
      process: 5,
      extra: 1,
      now: 'yesterday',
      steps: [
        { completeJob: {} },
        { completeJob: { node: 'a', type: 'b' } },
        { advance: 5 },
        { completeJob: { node: 'a' }, publish: { message: 'm' } },
        { jump: {} },
        {},
        { expect: { status: 'DONE', active: 'a' } },
      ],
    };
    const problems = problemsIn(JSON.stringify(wrong));
    expect(problems.split('\n').map((line) => line.trim())).toEqual([
      'wrong.scenario.json is not a scenario:',
      'name: must not be empty',
      'process: must be a text, found 5',
      expect.stringMatching(/^the file: "extra" is unknown; use one of \$schema, name, process/),
      'now: must be a date and time with a zone, such as 2026-01-01T00:00:00Z, found "yesterday"',
      'steps[0].completeJob: must have exactly one of node and type, but has neither',
      'steps[1].completeJob: must have exactly one of node and type, but has both',
      'steps[2].advance: must be a text, found 5',
      expect.stringMatching(/^steps\[3\]: must have exactly one of completeJob.*but has completeJob and publish$/),
      expect.stringMatching(/^steps\[4\]: "jump" is unknown; use one of completeJob/),
      expect.stringMatching(/^steps\[5\]: must have exactly one of .*but has none$/),
      'steps[6].expect.status: must be one of RUNNING, COMPLETED, FAILED, CANCELED, found "DONE"',
      'steps[6].expect.active: must be a list, found "a"',
    ]);
    expect(problemsIn('{"name": ')).toContain('the file is not JSON');
    expect(problemsIn('[]')).toContain('the file: must be an object, found []');
    expect(problemsIn('{}')).toContain('the file: "steps" is missing');
  });

  function problemsIn(text: string): string {
    try {
      readScenario(text, 'wrong.scenario.json');
      return '';
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidScenario);
      return (error as Error).message;
    }
  }
});
