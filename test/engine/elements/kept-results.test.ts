/** `perdure:keepResults`: results leave an element besides what its output mappings set. */
import { describe, expect, it } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import {
  boundaryEvent,
  callActivity,
  catchEvent,
  endEvent,
  multiInstance,
  on,
  processModel,
  receiveTask,
  root,
  scriptTask,
  serviceTask,
  startEvent,
  subProcess,
  userTask,
} from '@perdure/testkit/models';
import { MemoryHost } from '../../../packages/testkit/memory-host.js';

const keepResults = (content = '') =>
  `<perdure:keepResults xmlns:perdure="urn:perdure:bpmn">${content}</perdure:keepResults>`;
const REVIEWED = { outputs: { reviewer: '=by' }, extensions: keepResults() };
const RESULTS = { approved: true, by: 'kim' };
const ALL = { approved: true, by: 'kim', reviewer: 'kim' };

const FLOWS = ['s -> work -> e'];
const model = (activity: string, roots: string[] = []) =>
  processModel('p', [startEvent('s'), activity, endEvent('e')], FLOWS, roots);

describe('an element that keeps its results sets them and its outputs', () => {
  it('at a service task', async () => {
    const host = await MemoryHost.deploy(model(serviceTask('work', REVIEWED)));
    const instance = host.start('p', { approved: false });
    host.completeJob(instance, 'work', RESULTS);
    expect(host.variables(instance)).toEqual(ALL);
  });

  it('at a user task', async () => {
    const host = await MemoryHost.deploy(model(userTask('work', REVIEWED)));
    const instance = host.start('p', { approved: false });
    host.completeTask(instance, 'work', RESULTS);
    expect(host.variables(instance)).toEqual(ALL);
  });

  it.each([
    ['a receive task', receiveTask('work', 'review', REVIEWED)],
    ['a message event', catchEvent('work', on.message('review'), REVIEWED)],
  ])('at %s', async (_what, element) => {
    const host = await MemoryHost.deploy(model(element, [root.message('review', '="k"')]));
    const instance = host.start('p', { approved: false });
    host.publishMessage('review', 'k', RESULTS);
    expect(host.variables(instance)).toEqual(ALL);
  });

  it('at a boundary event', async () => {
    const nodes = [startEvent('s'), userTask('work'), boundaryEvent('heard', 'work', on.signal('alarm'), REVIEWED)];
    const xml = processModel('p', [...nodes, endEvent('e')], ['s -> work -> e', 'heard -> e'], [root.signal('alarm')]);
    const host = await MemoryHost.deploy(xml);
    const instance = host.start('p', { approved: false });
    host.throwSignal('alarm', RESULTS);
    expect(host.variables(instance)).toEqual(ALL);
  });

  it('at a call activity', async () => {
    const called = processModel('q', [startEvent('qs'), userTask('review'), endEvent('qe')], ['qs -> review -> qe']);
    const host = await MemoryHost.deploy(model(callActivity('work', 'q', REVIEWED)), called);
    const instance = host.start('p', { approved: false });
    host.completeTask(host.child(instance, 'work'), 'review', RESULTS);
    expect(host.variables(instance)).toEqual(ALL);
  });

  it('at a script task', async () => {
    const more = { outputs: { seven: '=six + 1' }, extensions: keepResults() };
    const host = await MemoryHost.deploy(model(scriptTask('work', '=2 * 3', 'six', more)));
    expect(host.variables(host.start('p'))).toEqual({ six: 6, seven: 7 });
  });

  it('in each instance of a loop', async () => {
    const host = await MemoryHost.deploy(
      model(serviceTask('work', { ...REVIEWED, loop: multiInstance('=[1, 2]', { sequential: true }) })),
    );
    const instance = host.start('p', { approved: false, reviewer: null });
    host.completeJob(instance, 'work', { by: 'kim' });
    host.completeJob(instance, 'work', { by: 'lee', approved: true });
    expect(host.variables(instance)).toEqual({ approved: true, by: 'lee', reviewer: 'lee' });
  });

  it('and keeps inside what an input mapping has made', async () => {
    const host = await MemoryHost.deploy(model(serviceTask('work', { ...REVIEWED, inputs: { approved: '=false' } })));
    const instance = host.start('p');
    host.completeJob(instance, 'work', RESULTS);
    expect(host.variables(instance)).toEqual({ by: 'kim', reviewer: 'kim' });
  });

  it('and keeps them when an output cannot be evaluated, until the incident is resolved', async () => {
    const host = await MemoryHost.deploy(
      model(receiveTask('work', 'review', REVIEWED), [root.message('review', '="k"')]),
    );
    const instance = host.start('p', { approved: false });
    host.publishMessage('review', 'k', { approved: true });
    expect(host.incidents(instance)).toMatchObject([{ node: 'work', errorType: 'FeelError' }]);
    expect(host.variables(instance)).toEqual({ approved: true });
    host.resolve(instance, 'work', { by: 'kim' });
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.variables(instance)).toMatchObject({ approved: true, reviewer: 'kim' });
  });
});

describe('a model is refused', () => {
  it.each([
    ['at a sub-process', subProcess('work', [startEvent('is'), endEvent('ie')], ['is -> ie'], REVIEWED), /is for /],
    ['twice', serviceTask('work', { extensions: keepResults() + keepResults() }), /can be given once/],
    [
      'with an attribute',
      serviceTask('work', { extensions: keepResults().replace(' xmlns', ' only="a" xmlns') }),
      /has no attribute only/,
    ],
    ['with content', serviceTask('work', { extensions: keepResults('<zeebe:a/>') }), /has no child elements/],
  ])('that keeps results %s', async (_what, activity, message) => {
    const { problems } = await compile(model(activity));
    const errors = problems.filter(({ severity }) => severity === 'error');
    expect(errors.map((error) => error.message).join(' ')).toMatch(message);
  });
});
