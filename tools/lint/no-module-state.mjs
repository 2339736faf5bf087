/**
 * Workflows of one worker share the modules of the interpreter, so one instance would see what another has left in a
 * module. The rule refuses, at the top level of a module: `let`, `var`, and a collection that starts empty, which can
 * only exist to be filled.
 */
const collections = new Set(['Map', 'Set', 'WeakMap', 'WeakSet']);

export const noModuleState = {
  create(context) {
    return {
      Program(program) {
        for (const statement of program.body) {
          const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
          if (declaration?.type !== 'VariableDeclaration') continue;
          for (const node of declaration.declarations) if (isState(declaration, node)) report(context, node);
        }
      },
    };
  },
};

function isState(declaration, { init }) {
  if (declaration.kind === 'let' || declaration.kind === 'var') return true;
  return init?.type === 'NewExpression' && collections.has(init.callee.name) && init.arguments.length === 0;
}

function report(context, node) {
  context.report({
    node,
    message:
      'Module state is not allowed here, because workflows of one worker share it. Pass it in, or put it ' +
      'into the state of the instance.',
  });
}
