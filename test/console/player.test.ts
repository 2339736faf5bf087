/** A play on a page, without a browser: the worker is a session in this process. */
import { expect, it, vi } from 'vitest';
import { callActivity, sequenceModel, serviceTask, userTask } from '@perdure/testkit/models';
import { Player, type PlayerState } from '../../console/features/play/player.js';
import type { PlayFile, Wanted } from '../../console/features/play/play-file.js';
import { Stopped, type Connection, type Questions } from '../../console/features/play/protocol.js';
import { PlaySession } from '../../packages/testkit/play/session.js';

const file: PlayFile = {
  name: 'order.bpmn',
  text: sequenceModel('order', [userTask('look'), callActivity('ship', 'shipping')]),
};
const shipping = sequenceModel('shipping', [serviceTask('pack')]);

/** @param hangs whether the worker never answers a question of this kind */
function playerOf(project: Record<string, string>, hangs: (kind: string) => boolean = () => false) {
  const asked: string[] = [];
  const closed: boolean[] = [];
  const services = {
    connect(): Connection {
      const number = closed.push(false) - 1;
      let session: PlaySession | undefined;
      let fail: (error: Error) => void = () => undefined;
      const answer = async (kind: string, content: object, shownID?: string) => {
        if (kind === 'open') {
          session = await PlaySession.open((content as Questions['open']).request);
          return { view: session.view(shownID), unused: session.unused };
        }
        if (kind === 'move') session!.move((content as Questions['move']).move);
        if (kind === 'moveTo') session!.moveTo((content as Questions['moveTo']).position);
        return session!.view(shownID);
      };
      return {
        ask: (kind, content, shownID) =>
          hangs(kind)
            ? new Promise((_, reject) => (fail = reject))
            : (answer(kind, content, shownID) as Promise<never>),
        close() {
          closed[number] = true;
          fail(new Stopped('stopped'));
        },
      };
    },
    async findFile({ kind, id }: Wanted) {
      asked.push(`${kind} ${id}`);
      const text = project[id];
      return text === undefined ? undefined : { name: 'order.bpmn', text };
    },
  };
  const player = new Player({ file, processID: 'order', now: 0 }, services);
  player.open();
  return { player, asked, closed };
}

/** Waits until the player has nothing to do. */
async function settled(player: Player): Promise<PlayerState> {
  await vi.waitFor(() => expect(player.state().isBusy).toBe(false));
  return player.state();
}

const waitsOf = ({ view }: PlayerState) => view?.waits.map(({ kind, node }) => `${kind} ${node}`);

it('a called process is fetched when it is called, and the moves are carried out again with it', async () => {
  const { player, asked } = playerOf({ shipping });
  await settled(player);
  player.move({ start: {} });
  await settled(player);
  expect(asked).toEqual([]);
  player.move({ completeTask: { node: 'look' } });
  const state = await settled(player);
  expect(asked).toEqual(['process shipping']);
  expect(waitsOf(state)).toEqual(['call ship', 'job pack']);
  expect(state.files.map(({ name }) => name)).toEqual(['order.bpmn', 'order-2.bpmn']);
  expect(state.moves).toHaveLength(2);
});

it('a process that the project does not have is asked for once, and waits for an answer', async () => {
  const { player, asked } = playerOf({});
  player.move({ start: {} });
  player.move({ completeTask: { node: 'look' } });
  player.moveTo(1);
  player.moveTo(2);
  const state = await settled(player);
  expect(asked).toEqual(['process shipping']);
  expect(waitsOf(state)).toEqual(['call ship']);
});

it('a refused move shows its reason, and the next one removes it', async () => {
  const { player } = playerOf({});
  player.move({ start: {} });
  player.move({ completeJob: { node: 'nowhere' } });
  expect(String((await settled(player)).error)).toContain('there is no job at nowhere');
  player.moveTo(0);
  expect(await settled(player)).toMatchObject({ error: undefined, view: { at: 0, moves: 1 } });
});

it('a play that is stopped in a move continues with the moves before', async () => {
  let isHanging = false;
  const { player, closed } = playerOf({}, (kind) => isHanging && kind === 'move');
  player.move({ start: {} });
  await settled(player);
  isHanging = true;
  player.move({ completeTask: { node: 'look' } });
  player.move({ advance: '1s' });
  await vi.waitFor(() => expect(player.state().isBusy).toBe(true));
  isHanging = false;
  player.stop();
  const state = await settled(player);
  expect(closed).toEqual([true, false]);
  expect(state).toMatchObject({ isStopped: true, error: undefined, view: { at: 1, moves: 1 } });
  player.move({ completeTask: { node: 'look' } });
  expect(await settled(player)).toMatchObject({ isStopped: false, view: { at: 2 } });
});

it('a page that is closed ends its worker, and opens another when it is shown again', async () => {
  const { player, closed } = playerOf({});
  player.close();
  player.open();
  expect(waitsOf(await settled(player))).toEqual([]);
  expect(closed).toEqual([true, false]);
});
