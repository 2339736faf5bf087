/** Cuts off clients that do not read their answers, or read them at less than the slowest rate. */
import type { Socket } from 'node:net';
import { SLOWEST_BYTES_PER_SECOND } from './limits.js';

interface Reading {
  /** When what is written must have been read at the latest. */
  due: number;
  /** `socket.bytesWritten` when `due` was set. */
  written: number;
}

/**
 * A client owes the time to read everything that waits for it at the slowest rate. What is written meanwhile extends
 * that time; what was read quickly before does not.
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
      const waiting = socket.writableLength;
      if (waiting === 0) {
        if (reading !== undefined) this.#sockets.set(socket, undefined);
        continue;
      }
      const written = socket.bytesWritten;
      const fresh = now + this.#grace + timeFor(waiting);
      const due = reading === undefined ? fresh : Math.min(fresh, reading.due + timeFor(written - reading.written));
      if (now > due) this.#cutOff(socket);
      else this.#sockets.set(socket, { due, written });
    }
  }
}

function timeFor(bytes: number): number {
  return (bytes / SLOWEST_BYTES_PER_SECOND) * 1_000;
}
