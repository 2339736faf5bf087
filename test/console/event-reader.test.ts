/** Following the event feed in the console, without a browser. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listenForEvents } from '../../console/frame/events/event-reader.js';
import { throttle } from '../../console/frame/events/throttle.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const message = (id: number, type?: string) =>
  type === undefined ? `:\nid: ${id}\n\n` : `id: ${id}\ndata: ${JSON.stringify({ type: `perdure.${type}` })}\n\n`;

/** A stream that has these bytes, in parts, and then ends. */
function stream(...parts: string[]): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(encoder.encode(part));
      controller.close();
    },
  });
  return new Response(body);
}

/** Follows with these responses in turn, until they are used up; time passes by itself. */
async function follow(responses: (Response | Error)[]) {
  const opened: (string | undefined)[] = [];
  const seen: (string | undefined)[] = [];
  const following: boolean[] = [];
  const ending = new AbortController();
  const open = async (after: string | undefined) => {
    const next = responses.shift();
    if (next === undefined) {
      ending.abort();
      throw new Error('the test is over');
    }
    opened.push(after);
    if (next instanceof Error) throw next;
    return next;
  };
  const listener = {
    onEvent: (type?: string) => void seen.push(type),
    onFollowing: (is: boolean) => void following.push(is),
  };
  const followed = listenForEvents(open, listener, ending.signal);
  const passing = (async () => {
    while (!ending.signal.aborted) await vi.advanceTimersByTimeAsync(1_000);
  })();
  await Promise.all([followed, passing]);
  return { opened, seen, following };
}

describe('the reader of the event feed', () => {
  it('reports events that arrive in parts, and continues after the last one', async () => {
    const { opened, seen } = await follow([
      stream(message(4).slice(0, 3), message(4).slice(3), message(5, 'task.created') + message(6, 'task.').slice(0, 9)),
      stream(message(7, 'task.completed')),
    ]);
    // Undefined at the beginning: something may have happened before.
    expect(seen).toEqual([undefined, 'perdure.task.created', 'perdure.task.completed']);
    expect(opened).toEqual([undefined, '5']);
  });

  it('starts over when its position has expired', async () => {
    const { opened, seen } = await follow([
      stream(message(5, 'task.created')),
      new Response('{}', { status: 409 }),
      stream(message(90)),
    ]);
    expect(opened).toEqual([undefined, '5', undefined]);
    expect(seen).toEqual([undefined, 'perdure.task.created', undefined]);
  });

  it.each([404, 409, 429])('leaves the lists to polling after %i, and tries again later', async (status) => {
    const { following } = await follow([new Response('{}', { status }), stream(message(5))]);
    expect(following).toEqual([false, true, false]);
  });

  it('opens the stream again after a failure', async () => {
    const { opened, following } = await follow([
      stream(message(5)),
      new Error('no connection'),
      new Response('', { status: 503 }),
      stream(message(9)),
    ]);
    expect(opened).toEqual([undefined, '5', '5', '5']);
    expect(following).toEqual([true, false, false, false, true, false]);
  });
});

describe('a throttle', () => {
  it('turns a burst into two calls', async () => {
    const call = vi.fn();
    const throttled = throttle(call, 1_000);
    for (let time = 0; time < 10_000; time += 1) throttled();
    expect(call).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(call).toHaveBeenCalledTimes(2);
  });

  it('calls nothing after it was canceled', async () => {
    const call = vi.fn();
    const throttled = throttle(call, 1_000);
    throttled();
    throttled();
    throttled.cancel();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(call).toHaveBeenCalledTimes(1);
  });
});
