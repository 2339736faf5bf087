import { describe, expect, it } from 'vitest';
import { nextTask } from '../../console/screens/tasks/next-task.js';

describe('the task after one that has ended', () => {
  it.each<[ended: string, next: string | undefined, what: string]>([
    ['a', 'b', 'the one below it'],
    ['c', 'b', 'the one above the last one'],
    ['z', undefined, 'none if the list does not have it'],
  ])('after %s is %s: %s', (ended, next) => {
    expect(nextTask(['a', 'b', 'c'], ended)).toBe(next);
  });

  it('is none if it was alone', () => {
    expect(nextTask(['a'], 'a')).toBeUndefined();
  });
});
