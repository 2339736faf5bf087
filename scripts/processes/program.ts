/** What a guard exits with, as shells do, when there is no such command. */
export const commandNotFound = 127;

/** A program that is not ours, with what the process that guards it needs to know. */
export interface Program {
  command: string;
  arguments: string[];
  workingDirectory?: string;
  /** Who runs it, when that is not the user who runs us. */
  account?: Account;
  /** Written with the identity of the running program, so that a later start can end what a crash has left. */
  pidFile?: string;
  stopSignal: 'SIGTERM' | 'SIGINT';
  /** How long it may take to stop before it is killed. */
  stopWithinMilliseconds: number;
}

export interface Account {
  uid: number;
  gid: number;
}
