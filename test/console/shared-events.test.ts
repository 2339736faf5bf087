/** The stream of events that tabs share, without a browser. */
import { describe, expect, it, vi } from 'vitest';
import { shareEvents } from '../../console/frame/events/shared-events.js';
import type { Message, Sharing } from '../../console/frame/events/shared-events.js';

/** Tabs of one browser: channels by name, and locks that are given in the order of the requests. */
function browser(): Sharing {
  const channels = new Map<string, Set<(message: Message) => void>>();
  const locks = new Map<string, Promise<void>>();
  return {
    openChannel(name, onMessage) {
      const members = channels.get(name) ?? new Set();
      channels.set(name, members);
      members.add(onMessage);
      return {
        postMessage(message) {
          for (const member of members) if (member !== onMessage) member(message);
        },
        close: () => void members.delete(onMessage),
      };
    },
    async withLock(name, signal, run) {
      const held = (locks.get(name) ?? Promise.resolve()).then(() => (signal.aborted ? undefined : run()));
      locks.set(name, held);
      await held;
    },
  };
}

/** A host with one stream at a time, and the positions after which streams were opened. */
function host() {
  const opened: (string | undefined)[] = [];
  let write: (text: string) => void = () => undefined;
  const open = async (after: string | undefined, signal: AbortSignal) => {
    opened.push(after);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        write = (text) => controller.enqueue(new TextEncoder().encode(text));
        signal.addEventListener('abort', () => controller.error(signal.reason));
      },
    });
    return new Response(body);
  };
  return { open, opened, send: (id: number, type: string) => write(`id: ${id}\ndata: {"type":"${type}"}\n\n`) };
}

function openTab(tabs: Sharing, { open }: Pick<ReturnType<typeof host>, 'open'>, name = 'demo') {
  const seen: (string | undefined)[] = [];
  const following: boolean[] = [];
  const ending = new AbortController();
  const listener = {
    onEvent: (type?: string) => void seen.push(type),
    onFollowing: (is: boolean) => void following.push(is),
  };
  const ended = shareEvents(tabs, name, open, listener, ending.signal);
  const close = async () => {
    ending.abort();
    await ended;
  };
  return { seen, following, close, stop: () => ending.abort() };
}

describe('tabs that share a stream', () => {
  it('all get the events of one stream', async () => {
    const [tabs, feed] = [browser(), host()];
    const all = Array.from({ length: 5 }, () => openTab(tabs, feed));
    await vi.waitFor(() => expect(all.map(({ following }) => following)).toEqual(Array(5).fill([true])));
    feed.send(1, 'perdure.task.created');
    await vi.waitFor(() => {
      for (const { seen } of all) expect(seen.at(-1)).toBe('perdure.task.created');
    });
    expect(feed.opened).toEqual([undefined]);
    for (const { stop } of all) stop();
  });

  it('continue after the last event when the tab that reads is closed', async () => {
    const [tabs, feed] = [browser(), host()];
    const [first, second] = [openTab(tabs, feed), openTab(tabs, feed)];
    await vi.waitFor(() => expect(second.following).toEqual([true]));
    feed.send(7, 'perdure.task.created');
    await vi.waitFor(() => expect(second.seen).toContain('perdure.task.created'));
    await first.close();
    await vi.waitFor(() => expect(feed.opened).toEqual([undefined, '7']));
    feed.send(8, 'perdure.task.completed');
    await vi.waitFor(() => expect(second.seen).toContain('perdure.task.completed'));
    expect(second.following.at(-1)).toBe(true);
    second.stop();
  });

  it('tell a tab that opens later that the stream is open, and that it may have missed events', async () => {
    const [tabs, feed] = [browser(), host()];
    const first = openTab(tabs, feed);
    await vi.waitFor(() => expect(first.following).toEqual([true]));
    const late = openTab(tabs, feed);
    await vi.waitFor(() => expect(late.following).toEqual([true]));
    expect(late.seen).toEqual([undefined]);
    for (const { stop } of [first, late]) stop();
  });

  it('share nothing with those of another name', async () => {
    const [tabs, ours, theirs] = [browser(), host(), host()];
    const [mine, other] = [openTab(tabs, ours, 'ada'), openTab(tabs, theirs, 'grace')];
    await vi.waitFor(() => expect([...mine.following, ...other.following]).toEqual([true, true]));
    ours.send(1, 'perdure.task.created');
    await vi.waitFor(() => expect(mine.seen).toContain('perdure.task.created'));
    expect(other.seen).toEqual([undefined]);
    for (const { stop } of [mine, other]) stop();
  });
});
