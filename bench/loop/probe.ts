/**
 * Measures the longest round of the event loop of a process in CPU time of its thread, so that other processes on the
 * same cores do not count. The loop never rests while it is measured.
 */
import { createServer } from 'node:net';
import { threadCpuClock } from './thread-cpu.js';

/** Answers each connection to the port with the longest round since the one before, in milliseconds. */
export async function startLoopProbe(port: number): Promise<void> {
  const now = await threadCpuClock();
  let longest = 0;
  let last = now();
  const look = () => {
    const current = now();
    longest = Math.max(longest, current - last);
    last = current;
    setImmediate(look);
  };
  setImmediate(look);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(String(longest));
    longest = 0;
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
}
