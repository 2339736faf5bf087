/** Delivers events to the subscriptions of all projects. Several connectors can run it: each subscription belongs to one of them at a time. */
import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '@perdure/lib/error-message.js';
import { takeTurns } from '../../store/event-subscriptions/turns.js';
import { runTurn, type TurnOptions } from './turn.js';

export interface EventDeliveries {
  /** The reason why no events are delivered now, or undefined. */
  problem(): string | undefined;
  /** Begins no more deliveries and waits for those under way. */
  stop(): Promise<void>;
}

/** Subscriptions that a connector serves at a time. */
const MAX_TURNS = 32;
const LOOK_AGAIN_MS = 500;

export function startEventDeliveries(options: TurnOptions): EventDeliveries {
  const stopping = new AbortController();
  const turns = new Set<Promise<void>>();
  let problem: string | undefined;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const taken = await takeTurns(options.store, MAX_TURNS - turns.size);
        for (const turn of taken) {
          const ended = runTurn(options, turn, stopping.signal).then(() => void turns.delete(ended));
          turns.add(ended);
        }
        problem = undefined;
      } catch (error) {
        problem = 'Events cannot be delivered; see the log';
        options.logger.warn({ error: errorMessage(error) }, 'looking for events to deliver failed; retrying');
      }
      await delay(LOOK_AGAIN_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    problem: () => problem,
    async stop() {
      stopping.abort();
      await running;
      await Promise.all(turns);
    },
  };
}
