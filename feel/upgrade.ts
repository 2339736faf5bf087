/** Trees of earlier versions, which running instances keep in their graphs. */
import { TREE_VERSION, type FeelTree, type StoredTree } from './tree.js';

type Upgrade = (tree: StoredTree) => StoredTree;

/** By the version that each one reads, the step to the next. */
const UPGRADES: Readonly<Record<number, Upgrade>> = {
  // Version 2 reads some texts differently and has the nodes of version 1: what was stored keeps its meaning.
  1: (tree) => ({ ...tree, version: 2 }),
};

/** The same tree in the current version. Only a version that was never written cannot be read. */
export function upgradeTree(stored: StoredTree): FeelTree {
  let tree = stored;
  while (tree.version !== TREE_VERSION) {
    const upgrade = UPGRADES[tree.version];
    if (upgrade === undefined) {
      throw new Error(`The FEEL tree has version ${String(stored.version)}, but this build reads versions 1 to ${TREE_VERSION}. Run the build that wrote it, or a later one.`);
    }
    tree = upgrade(tree);
  }
  return tree as FeelTree;
}
