import { expect, test } from 'vitest';
import { CloseStack } from '../../host/close-stack.js';

test('resources close in reverse order, each after the one before has closed', async () => {
  const opened = new CloseStack();
  const closed: string[] = [];
  for (const name of ['database', 'worker', 'door']) {
    opened.add(name, async () => {
      await Promise.resolve();
      closed.push(name);
    });
  }
  await opened.close();
  expect(closed).toEqual(['door', 'worker', 'database']);
});

test('it shows what it waits for, and nothing before and after', async () => {
  const opened = new CloseStack();
  let release = () => {};
  opened.add('the database', async () => {});
  opened.add('the worker', () => new Promise<void>((resolve) => (release = resolve)));
  expect(opened.closing).toBeUndefined();
  const closing = opened.close();
  expect(opened.closing).toBe('the worker');
  release();
  await closing;
  expect(opened.closing).toBeUndefined();
});

test('a second close has no effect', async () => {
  const opened = new CloseStack();
  let times = 0;
  opened.add('the door', async () => {
    times += 1;
  });
  await opened.close();
  await opened.close();
  expect(times).toBe(1);
});
