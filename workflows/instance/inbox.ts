/**
 * Commands that have arrived and are not handled yet. Most are returned by step commits. A signal may arrive twice, or
 * before commands that only a lost workflow task has read; the instance then reads those by number.
 */
import type { Command, CommandMessage, CommandReference, UnwrittenResult } from '@perdure/engine/contract/commands.js';
import { isDeferredByPause } from '@perdure/engine/handlers/index.js';
import type { Room } from './room.js';

/** Room charged for a command of unknown size: as much as a whole step. */
const MAX_COMMAND_BYTES = 1024 * 1024;

export class Inbox {
  private readonly messages = new Map<number, CommandMessage>();
  /** Deferred commands, as far as this run has received them. */
  private readonly deferred = new Map<number, CommandMessage>();
  private handled: number;

  /**
   * @param handled number of the last command that the instance has handled
   * @param carried commands that an earlier run of the instance received and did not handle
   */
  constructor(handled: number, carried: readonly CommandReference[] = []) {
    this.handled = handled;
    for (const message of carried) this.receive(message);
  }

  /** Receives a signaled command. */
  receive(message: CommandMessage): void {
    // Anyone with access to the namespace can send a signal, so an invalid command must not stop the workflow.
    if (isCommandMessage(message) && !isUnwritten(message)) this.add(message);
  }

  /** Receives a command that a commit returned: perhaps a result that the next commit must write. */
  add(message: CommandMessage): void {
    if (message.number <= this.handled) return;
    const known = this.messages.get(message.number);
    if (!known || isUnwritten(known) || isReference(known)) this.messages.set(message.number, message);
  }

  /** Forgets a result that could not be written. There is one at most. */
  withdrawResult(): void {
    for (const message of this.messages.values()) if (isUnwritten(message)) this.messages.delete(message.number);
  }

  /** The store has nothing of what was to be read: forgets references and whatever follows a gap, which no row stands for. */
  dropUnreadable(): void {
    const last = this.lastReceived;
    for (const message of this.messages.values())
      if (message.number > last || isReference(message)) this.messages.delete(message.number);
  }

  /** Whether it is empty, including commands that follow a gap. */
  get isEmpty(): boolean {
    return this.messages.size === 0;
  }

  /** Numbers before the first command that has arrived, at most `limit`; empty if the next command has arrived, or none. */
  gap(limit: number): number[] {
    let first = Infinity;
    for (const number of this.messages.keys()) first = Math.min(first, number);
    if (first === Infinity) return [];
    return Array.from({ length: Math.min(first - this.handled - 1, limit) }, (_, index) => this.handled + 1 + index);
  }

  /**
   * Number of the last consecutive command that fits into `room`, which is reduced accordingly. While the instance is
   * paused, a deferred command takes no room: only its number is recorded.
   */
  lastReady(room: Room, isPaused = false): number {
    let last = this.handled;
    for (
      let next = this.messages.get(last + 1);
      next && room.take(isPaused && isKept(next) ? 0 : sizeOf(next));
      next = this.messages.get(last + 1)
    )
      last += 1;
    return last;
  }

  /** How many of the deferred commands fit into `room`, in order. */
  deferredReady(deferred: readonly { number: number }[], room: Room): number {
    const beyond = deferred.findIndex(({ number }) => !room.take(sizeOf(this.get(number))));
    return beyond === -1 ? deferred.length : beyond;
  }

  /** Number of the last written command of the unbroken series, however many those are. */
  get lastReceived(): number {
    let last = this.handled;
    for (let next = this.messages.get(last + 1); next && !isUnwritten(next); next = this.messages.get(last + 1))
      last += 1;
    return last;
  }

  /** Whether a cancel has arrived and is not handled yet. */
  get hasCancel(): boolean {
    return [...this.messages.values()].some(({ kind }) => kind === 'CANCEL_INSTANCE');
  }

  get(number: number): CommandMessage | undefined {
    return this.messages.get(number) ?? this.deferred.get(number);
  }

  /** Adds a command that was read by number. */
  fill(command: Command): void {
    (command.number > this.handled ? this.messages : this.deferred).set(command.number, command);
  }

  /** Drops every handled command up to `last`, except those in `deferred`. */
  markHandled(last: number, deferred: readonly { number: number }[]): void {
    const kept = new Set(deferred.map(({ number }) => number));
    for (const number of this.deferred.keys()) if (!kept.has(number)) this.deferred.delete(number);
    for (; this.handled < last; this.handled += 1) {
      const number = this.handled + 1;
      const message = this.messages.get(number);
      if (message && kept.has(number)) this.deferred.set(number, message);
      this.messages.delete(number);
    }
  }

  /**
   * The remaining commands, small enough to be carried into the next run: the store has the commands themselves. A
   * result that has no row stays behind: the API writes it when no commit has.
   */
  references(): CommandReference[] {
    const written = [...this.messages.values()].filter((message) => !isUnwritten(message));
    return written.map((message) => ({
      number: message.number,
      reference: true,
      bytes: sizeOf(message),
      ...(message.kind && { kind: message.kind }),
    }));
  }
}

/** Whether a pause defers the command, for which only its kind is needed. */
export function isKept({ kind }: CommandMessage): boolean {
  return kind !== undefined && isDeferredByPause(kind);
}

/** Whether the message is a job result that the commit of its step must write. */
export function isUnwritten(message: CommandMessage): message is UnwrittenResult {
  return 'claim' in message;
}

export function isReference(message: CommandMessage): message is CommandReference {
  return 'reference' in message;
}

function sizeOf(message: CommandMessage | undefined): number {
  if (!message) return MAX_COMMAND_BYTES;
  return isReference(message) ? (message.bytes ?? MAX_COMMAND_BYTES) : JSON.stringify(message).length;
}

function isCommandMessage(message: unknown): message is CommandMessage {
  return (
    typeof message === 'object' && message !== null && Number.isSafeInteger((message as { number?: unknown }).number)
  );
}
