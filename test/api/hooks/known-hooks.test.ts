/** The cache of hooks in a process. */
import { expect, it } from 'vitest';
import { createKnownHooks } from '../../../api/hooks/known-hooks.js';
import type { Hook } from '../../../store/hooks/hooks.js';

const hook = (hookID: string): Hook => ({
  hookID,
  projectID: 'p1',
  name: 'h',
  auth: { type: 'STRIPE', secret: 'S' },
  messageName: '"m"',
  correlationKeys: null,
  variables: null,
  idempotencyKey: null,
  ttl: null,
  enabled: true,
  revision: 1,
  createdBy: 'editor',
  createdAt: new Date(0),
  updatedBy: null,
  updatedAt: null,
});

/** Hooks `a` and `b` in a database whose answers the test releases. */
function startKnown() {
  const reads: (readonly string[])[] = [];
  let now = 0;
  let gate: Promise<void> = Promise.resolve();
  const known = createKnownHooks({
    async read(hookIDs) {
      reads.push(hookIDs);
      await gate;
      return hookIDs.filter((hookID) => ['a', 'b'].includes(hookID)).map(hook);
    },
    now: () => now,
  });
  return {
    known,
    reads,
    pass: (milliseconds: number) => void (now += milliseconds),
    /** Until the returned function is called, or fails. */
    hold() {
      let open!: () => void;
      let fail!: (error: Error) => void;
      gate = new Promise((resolve, reject) => {
        open = resolve;
        fail = reject;
      });
      return { open, fail };
    },
  };
}

it('the cache of hooks reads a hook once in five seconds', async () => {
  const { known, reads, pass } = startKnown();
  expect((await known.find('a'))?.hook.hookID).toBe('a');
  pass(4_999);
  await known.find('a');
  expect(reads).toEqual([['a']]);
  pass(1);
  await known.find('a');
  expect(reads).toEqual([['a'], ['a']]);
});

it('the cache of hooks remembers which ids are not hooks', async () => {
  const { known, reads } = startKnown();
  expect(await known.find('none')).toBeUndefined();
  expect(await known.find('none')).toBeUndefined();
  expect(reads).toHaveLength(1);
});

it('the cache of hooks keeps known hooks however many unknown ids are asked for', async () => {
  const { known, reads } = startKnown();
  await known.find('a');
  for (let part = 0; part < 30; part += 1)
    await Promise.all(Array.from({ length: 500 }, (_, index) => known.find(`${part}-${index}`)));
  const before = reads.length;
  await known.find('a');
  expect(reads).toHaveLength(before);
});

it('the cache of hooks reads all ids of a flood by one statement after another', async () => {
  const { known, reads, hold } = startKnown();
  const { open } = hold();
  const found = Promise.all([
    known.find('a'),
    ...Array.from({ length: 900 }, (_, index) => known.find(`none-${index}`)),
  ]);
  expect(reads).toEqual([['a']]);
  open();
  await found;
  expect(reads.map(({ length }) => length)).toEqual([1, 500, 400]);
});

it('the cache of hooks refuses what exceeds a bounded number of waiting ids', async () => {
  const { known, hold } = startKnown();
  const { open } = hold();
  const found = Promise.allSettled(Array.from({ length: 6_000 }, (_, index) => known.find(`none-${index}`)));
  open();
  const refused = (await found).filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(999);
});

it('the cache of hooks does not remember a failed read', async () => {
  const { known, hold } = startKnown();
  const { fail } = hold();
  const found = known.find('a');
  fail(new Error('Connection terminated'));
  await expect(found).rejects.toThrow('Connection terminated');
  hold().open();
  expect((await known.find('a'))?.hook.hookID).toBe('a');
});

it('the cache of hooks reads a hook again after it was forgotten', async () => {
  const { known, reads } = startKnown();
  await known.find('b');
  known.forget('b');
  await known.find('b');
  expect(reads).toEqual([['b'], ['b']]);
});
