/** Delivers events to the subscriptions of all projects. Several connectors can run it: each subscription belongs to one of them at a time. */
import { takeTurns } from '../../store/event-subscriptions/turns.js';
import type { Connector } from '../role.js';
import { runTurn, type TurnOptions } from './turn.js';

/** Subscriptions that a connector serves at a time. */
const MAX_TURNS = 32;
/** A turn lasts for ten seconds if the receiver does not answer: no project can have all of them. */
const MAX_TURNS_OF_PROJECT = 8;
const EVERY_MS = 500;

export function eventDeliveries(options: TurnOptions): Connector {
  /** With the project of each. */
  const turns = new Map<Promise<void>, string>();
  return {
    chore: {
      name: 'event_deliveries',
      every: EVERY_MS,
      prompt: true,
      async run({ stopping }) {
        const room = MAX_TURNS - turns.size;
        for (const turn of await takeTurns(options.store, room, MAX_TURNS_OF_PROJECT, [...turns.values()])) {
          const ended = runTurn(options, turn, stopping).then(() => void turns.delete(ended));
          turns.set(ended, turn.projectID);
        }
        return 'done';
      },
      finish: async () => void (await Promise.all(turns.keys())),
    },
    problem: 'Events cannot be delivered; see the log',
  };
}
