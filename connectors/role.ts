/** The role `connectors`: chores that call services outside. */
import type { Logger } from 'pino';
import type { Chore } from '../background/chore.js';
import { startChores, type ChoreStatus } from '../background/driver.js';

/** A chore that begins calls, which continue after its runs. */
export interface Connector {
  chore: Chore;
  /** The state of the role while the chore fails. */
  problem: string;
}

export interface ConnectorsRole {
  chores(): readonly ChoreStatus[];
  /** The problem of a connector whose last run failed; undefined if none did. */
  problem(): string | undefined;
  /** Begins no more calls and waits for those in progress. */
  stop(): Promise<void>;
}

export function startConnectorsRole(logger: Logger, connectors: readonly Connector[]): ConnectorsRole {
  const background = startChores({ chores: connectors.map(({ chore }) => chore), logger });
  const isFailing = ({ chore }: Connector) =>
    background.status().some(({ name, failuresInARow }) => name === chore.name && failuresInARow > 0);
  return {
    chores: () => background.status(),
    problem: () => connectors.find(isFailing)?.problem,
    stop: () => background.stop(),
  };
}
