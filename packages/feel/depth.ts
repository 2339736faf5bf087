/** The depth of trees, checked before anything traverses them. */

/**
 * Maximum depth of a parsed expression. Trees are traversed recursively wherever a graph or a decision is used, including
 * on a workflow's small stack. A limit based on the current stack would accept trees here that overflow there.
 */
const MAX_TREE_DEPTH = 500;

/** Whether recursion over `tree` is safe. Not recursive itself. */
export function isShallow(tree: object): boolean {
  let level: object[] = [tree];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_TREE_DEPTH) return false;
    level = level.flatMap((value) =>
      Object.values(value).filter((member): member is object => typeof member === 'object' && member !== null),
    );
  }
  return true;
}
