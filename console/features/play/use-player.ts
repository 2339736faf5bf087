import { useEffect, useState, useSyncExternalStore } from 'react';
import { useProject } from '../../frame/project/project.js';
import { connect } from './connection.js';
import { Player, type Played, type PlayerState } from './player.js';
import { findFile } from './project-files.js';

/** A play that ends with its page. */
export function usePlayer(played: Played): { player: Player; state: PlayerState } {
  const { id: projectID } = useProject();
  const [player] = useState(() => new Player(played, { connect, findFile: (wanted) => findFile(projectID, wanted) }));
  useEffect(() => {
    player.open();
    return () => player.close();
  }, [player]);
  return { player, state: useSyncExternalStore(player.subscribe, player.state) };
}
