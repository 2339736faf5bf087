/** The exit code of a guard when the command does not exist, as in shells. */
export const commandNotFound = 127;

/** An external program, with the settings of its guard. */
export interface Program {
  command: string;
  arguments: string[];
  workingDirectory?: string;
  /** The user who runs it, if it differs from the current user. */
  account?: Account;
  /** Contains the identity of the running program, so that a later start can end the leftovers of a crash. */
  pidFile?: string;
  stopSignal: 'SIGTERM' | 'SIGINT';
  /** How long it can take to stop before it is killed. */
  stopWithinMilliseconds: number;
}

export interface Account {
  uid: number;
  gid: number;
}
