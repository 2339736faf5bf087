/** Trees of earlier versions, which running instances keep in their graphs. */
import { TREE_VERSION, type FeelTree, type StoredTree } from './tree.js';

/** Upgrade steps by the version that each one reads. A step returns a new tree and leaves its argument as it is. */
export type Upgrades = Readonly<Record<number, (tree: StoredTree) => StoredTree>>;

/** The first version is so far the only one. */
const UPGRADES: Upgrades = {};

/** The same tree in the current version. Throws only for a version that was never written. */
export function upgradeTree(stored: StoredTree, upgrades = UPGRADES): FeelTree {
  let tree = stored;
  while (tree.version !== TREE_VERSION) {
    const upgrade = upgrades[tree.version];
    if (upgrade === undefined) {
      throw new Error(
        `The FEEL tree has version ${String(stored.version)}, but this build reads versions up to ${TREE_VERSION}. Run the build that wrote it, or a later one.`,
      );
    }
    tree = upgrade(tree);
  }
  return tree as FeelTree;
}
