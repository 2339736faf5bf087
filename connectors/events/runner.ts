/** Delivers events to the subscriptions of all projects. Several connectors can run it: each subscription belongs to one of them at a time. */
import { takeTurns } from '../../store/event-subscriptions/turns.js';
import type { Connector } from '../role.js';
import { runTurn, type TurnOptions } from './turn.js';

/** Subscriptions that a connector serves at a time. */
const MAX_TURNS = 32;
const EVERY_MS = 500;

export function eventDeliveries(options: TurnOptions): Connector {
  const turns = new Set<Promise<void>>();
  return {
    chore: {
      name: 'event_deliveries',
      every: EVERY_MS,
      prompt: true,
      async run({ stopping }) {
        for (const turn of await takeTurns(options.store, MAX_TURNS - turns.size)) {
          const ended = runTurn(options, turn, stopping).then(() => void turns.delete(ended));
          turns.add(ended);
        }
        return 'done';
      },
    },
    problem: 'Events cannot be delivered; see the log',
    finish: async () => void (await Promise.all(turns)),
  };
}
