/**
 * The SDK's times of a run are not what they are called: `runStartTime` is the time of the first workflow task that was
 * not replaced, which can be days after the run began, and `startTime` may be that of the first run. Nothing may be
 * deleted, matched, or decided by them. The rule refuses the names in workflows.
 */
const names = new Set(['runStartTime', 'startTime']);

export const noRunTimes = {
  create(context) {
    return {
      Identifier: (node) => refuse(context, node, node.name),
      // As in `info['startTime']`.
      Literal: (node) => refuse(context, node, node.value),
    };
  },
};

function refuse(context, node, name) {
  if (!names.has(name)) return;
  context.report({
    node,
    message: `"${name}" is not the time at which a run began. Name runs by their ids, or pass a recorded time in.`,
  });
}
