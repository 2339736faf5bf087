/** The context of a play on its page. */
import { createContext, useContext, useMemo } from 'react';
import type { PlayView } from '@perdure/testkit/browser';
import { emptyModel, readModel, type Model } from '../../features/diagram/model.js';
import type { FolderFile } from '../../features/modeler/files/folder-file.js';
import type { PlayFile } from '../../features/play/play-file.js';
import type { Player } from '../../features/play/player.js';

export interface PlayOnPage {
  player: Player;
  view: PlayView;
  isBusy: boolean;
  /** See `Subject`. */
  folder: readonly FolderFile[];
  /** The name of a node of a process in play, or its id. */
  nameOf(processID: string, nodeID: string): string;
}

export const PlayContext = createContext<PlayOnPage | undefined>(undefined);

export function usePlay(): PlayOnPage {
  const found = useContext(PlayContext);
  if (found === undefined) throw new Error('usePlay: expected to be below the stage of a play, found none.');
  return found;
}

/** The models of the files in play, by process. */
export function useModels(files: readonly PlayFile[], view: PlayView | undefined): (processID: string) => Model {
  const models = useMemo(() => new Map(files.filter(isBpmn).map(({ name, text }) => [name, readModel(text)])), [files]);
  const names = new Map(view?.instances.map(({ processID, file }) => [processID, file] as const));
  return (processID) => models.get(names.get(processID) ?? files[0]!.name) ?? emptyModel;
}

function isBpmn({ name }: PlayFile): boolean {
  return name.toLowerCase().endsWith('.bpmn');
}
