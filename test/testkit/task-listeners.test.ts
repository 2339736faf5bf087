/** Task listeners in a test of a process: who acts, what the task is then, and what a denial leaves. */
import { expect, it } from 'vitest';
import { testProcess } from '@perdure/testkit';
import { sequenceModel, taskListeners, userTask } from '@perdure/testkit/models';

type Listeners = Parameters<typeof taskListeners>[0];

async function started(listeners: Listeners, more = {}) {
  const process = await testProcess(
    sequenceModel('p', [userTask('review', { ...more, extensions: taskListeners(listeners) })]),
  );
  return process.start();
}

it('a task is as its listeners have corrected it', async () => {
  const instance = await started({ creating: ['c'], assigning: ['a'] }, { assignee: 'ada' });
  instance
    .job('review')
    .complete(undefined, { corrections: { candidateGroups: ['staff'], dueDate: '2026-03-01T00:00:00Z' } });
  instance.job('review').complete(undefined, { corrections: { assignee: 'eve' } });
  const { assignee, candidateGroups, dueDate } = instance.task('review');
  expect({ assignee, candidateGroups, dueDate }).toEqual({
    assignee: 'eve',
    candidateGroups: ['staff'],
    dueDate: new Date('2026-03-01T00:00:00Z'),
  });
});

it('a denied completion leaves the task with the reason, and the next one ends it', async () => {
  const instance = await started({ completing: ['l'] });
  instance.task('review').complete({ amount: 0 });
  instance.job('review').complete(undefined, { denied: true, deniedReason: 'no amount' });
  expect(instance.task('review').denied).toEqual({ eventType: 'completing', reason: 'no amount' });
  instance.task('review').complete({ amount: 1 });
  expect(instance.task('review').denied).toBeUndefined();
  instance.job('review').complete();
  instance.expectCompleted();
  instance.expectVariables({ amount: 1 });
});

it('an update takes effect with its listeners, which see the task in their headers', async () => {
  const instance = await started({ updating: ['u'] }, { assignee: 'ada' });
  instance.task('review').update({ assignee: null });
  expect(instance.task('review').assignee).toBeUndefined();
  instance.task('review').update({ assignee: 'bob' });
  instance.task('review').update({ priority: 3, dueDate: new Date('2026-03-01T00:00:00Z') });
  expect(instance.task('review').priority).toBe(50);
  expect(instance.job('review').headers).toEqual({
    'io.camunda.zeebe:action': 'update',
    'io.camunda.zeebe:assignee': 'bob',
    'io.camunda.zeebe:changedAttributes': '["priority","dueDate"]',
    'io.camunda.zeebe:dueDate': '2026-03-01T00:00:00.000Z',
    'io.camunda.zeebe:priority': '3',
  });
  instance.job('review').complete();
  expect(instance.task('review')).toMatchObject({ priority: 3, assignee: 'bob' });
});

it('a second request fails the test while listeners decide about the first', async () => {
  const instance = await started({ completing: ['l'] });
  instance.task('review').complete();
  expect(() => instance.task('review').complete()).toThrow('Listeners decide about another request');
});
