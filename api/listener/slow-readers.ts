/** Cuts off clients that do not read their answers, or read them at less than the slowest rate. */
import type { Socket } from 'node:net';
import { SLOWEST_BYTES_PER_SECOND } from './limits.js';

interface Reading {
  /** When the client has used up the time that it has earned by reading. */
  due: number;
  /** Bytes that the kernel had taken when `due` was set. */
  taken: number;
}

/**
 * While output waits for a client, the client earns time by reading: a second for each second's worth of the slowest
 * rate, and never more than the grace at once. So one that stops is cut off after the grace, however large its answer
 * is and however much it has read before.
 */
export class SlowReaders {
  readonly #grace: number;
  readonly #cutOff: (socket: Socket) => void;
  readonly #sockets = new Map<Socket, Reading | undefined>();

  /** @param grace milliseconds */
  constructor(grace: number, cutOff: (socket: Socket) => void) {
    this.#grace = grace;
    this.#cutOff = cutOff;
  }

  add(socket: Socket): void {
    this.#sockets.set(socket, undefined);
  }

  remove(socket: Socket): void {
    this.#sockets.delete(socket);
  }

  /** @param now milliseconds of a monotonic clock */
  check(now: number): void {
    for (const [socket, reading] of this.#sockets) {
      if (socket.writableLength === 0) {
        if (reading !== undefined) this.#sockets.set(socket, undefined);
        continue;
      }
      const taken = bytesTaken(socket);
      const most = now + this.#grace;
      const due = reading === undefined ? most : Math.min(most, reading.due + timeFor(taken - reading.taken));
      if (now > due) this.#cutOff(socket);
      else this.#sockets.set(socket, { due, taken });
    }
  }
}

function timeFor(bytes: number): number {
  return (bytes / SLOWEST_BYTES_PER_SECOND) * 1_000;
}

/**
 * Bytes of a socket that the kernel has taken. Only libuv knows it for a chunk that is being written, and an answer can
 * be one chunk. Node has no public name for this; the time-outs of its sockets read the same properties.
 */
function bytesTaken(socket: Socket): number {
  const { _bytesDispatched: dispatched, _handle: handle } = socket as unknown as {
    readonly _bytesDispatched?: number;
    readonly _handle?: { readonly writeQueueSize?: number } | null;
  };
  return dispatched === undefined || handle?.writeQueueSize === undefined
    ? socket.bytesWritten - socket.writableLength
    : dispatched - handle.writeQueueSize;
}
