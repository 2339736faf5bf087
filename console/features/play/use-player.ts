import { useEffect, useState, useSyncExternalStore } from 'react';
import { useProject } from '../../frame/project/project.js';
import { connect } from './connection.js';
import { Player, type Played, type PlayerState } from './player.js';
import type { PlayFile, Wanted } from './play-file.js';
import { findFile } from './project-files.js';

/**
 * A play that ends with its page.
 * @param findFirst files that take the place of those of the project
 */
export function usePlayer(
  played: Played,
  findFirst: (wanted: Wanted) => PlayFile | undefined,
): { player: Player; state: PlayerState } {
  const { id: projectID } = useProject();
  const [player] = useState(
    () =>
      new Player(played, {
        connect,
        findFile: async (wanted) => findFirst(wanted) ?? findFile(projectID, wanted),
      }),
  );
  useEffect(() => {
    player.open();
    return () => player.close();
  }, [player]);
  return { player, state: useSyncExternalStore(player.subscribe, player.state) };
}
