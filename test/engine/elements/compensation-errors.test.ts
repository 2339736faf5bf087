/** An error of a compensation handler does not reach the sub-process that it undoes. */
import { describe, expect, it } from 'vitest';
import {
  boundaryEvent,
  compensatedBy,
  endEvent,
  eventSubProcess,
  on,
  serviceTask,
  startEvent,
  subProcess,
  task,
  throwEvent,
} from '@perdure/testkit/models';
import { MemoryHost } from '../../../packages/testkit/memory-host.js';
import { simpleModel } from '../../support/models.js';

describe('an error of a handler', () => {
  const model = simpleModel(
    [
      subProcess(
        'sub',
        [
          startEvent('is'),
          task('a'),
          compensatedBy('a', 'undo'),
          serviceTask('undo', { isForCompensation: true }),
          eventSubProcess('handler', [startEvent('hs', on.error()), task('inside')], ['h: hs -> inside']),
        ],
        ['i: is -> a'],
      ),
      boundaryEvent('failed', 'sub', on.error()),
      task('aside'),
      throwEvent('back', on.compensation()),
      endEvent('e'),
    ],
    ['f1: s -> sub', 'f2: sub -> back', 'f3: back -> e', 'f4: failed -> aside'],
  );

  it('is not caught by the sub-process that it undoes, because that has completed', async () => {
    const host = await MemoryHost.deploy(model);
    const instance = host.start('p');
    host.throwJobError(instance, 'undo', 'E');
    expect(host.incidents(instance)).toMatchObject([{ node: 'undo', errorCode: 'E' }]);
    host.resolve(instance, 'undo');
    host.completeJob(instance, 'undo');
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.completed(instance)).not.toContain('aside');
    expect(host.completed(instance).filter((node) => node === 'back')).toHaveLength(1);
  });
});
