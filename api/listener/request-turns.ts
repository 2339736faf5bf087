/**
 * One request of a connection at a time. Node passes on all requests that a client sends without reading answers
 * (pipelining) at once, and keeps their answers until the first one has been read.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Handle = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Requests of a connection that wait for their turn; their heads are in memory. */
const MAX_WAITING = 16;

export class RequestTurns {
  readonly #handle: Handle;
  readonly #excess: (socket: Socket) => void;
  /** Of connections with a request in progress: the requests after it. */
  readonly #waiting = new Map<Socket, [IncomingMessage, ServerResponse][]>();

  /** @param excess called when a connection has too many waiting requests */
  constructor(handle: Handle, excess: (socket: Socket) => void) {
    this.#handle = handle;
    this.#excess = excess;
  }

  take(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming;
    const waiting = this.#waiting.get(socket);
    if (waiting === undefined) {
      this.#waiting.set(socket, []);
      this.#begin(socket, incoming, outgoing);
    } else if (waiting.length < MAX_WAITING) waiting.push([incoming, outgoing]);
    else if (!socket.destroyed) this.#excess(socket);
  }

  /** Whether a request of the connection is in progress. */
  has(socket: Socket): boolean {
    return this.#waiting.has(socket);
  }

  #begin(socket: Socket, incoming: IncomingMessage, outgoing: ServerResponse): void {
    outgoing.once('close', () => this.#next(socket));
    this.#handle(incoming, outgoing);
  }

  #next(socket: Socket): void {
    // After an answer with `Connection: close`, nothing can be written anymore.
    const next = socket.writable ? this.#waiting.get(socket)?.shift() : undefined;
    if (next === undefined) this.#waiting.delete(socket);
    else this.#begin(socket, ...next);
  }
}
