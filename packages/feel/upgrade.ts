/** Trees of earlier versions, which running instances keep in their graphs. */
import { TREE_VERSION, type FeelTree, type StoredTree } from './tree.js';

type Upgrade = (tree: StoredTree) => StoredTree;

/** Upgrade steps by the version that each one reads. */
const UPGRADES: Readonly<Record<number, Upgrade>> = {
  // Version 2 parses some texts differently but has the nodes of version 1: stored trees keep their meaning.
  1: (tree) => ({ ...tree, version: 2 }),
};

/** The same tree in the current version. Throws only for a version that was never written. */
export function upgradeTree(stored: StoredTree): FeelTree {
  let tree = stored;
  while (tree.version !== TREE_VERSION) {
    const upgrade = UPGRADES[tree.version];
    if (upgrade === undefined) {
      throw new Error(
        `The FEEL tree has version ${String(stored.version)}, but this build reads versions 1 to ${TREE_VERSION}. Run the build that wrote it, or a later one.`,
      );
    }
    tree = upgrade(tree);
  }
  return tree as FeelTree;
}
