/** Function calls and function literals. */
import { builtinOf, TOLERANT_FUNCTIONS } from '../builtins/index.js';
import type { Builtin } from '../builtins/define.js';
import { invokeBuiltin } from '../builtins/invoke.js';
import type { Span } from '../errors.js';
import { FeelFunction, type Parameter } from '../functions.js';
import { calleeName } from './names.js';
import { inferType } from '../infer.js';
import { coerce, resolveTypeNode } from '../values/types.js';
import type { Cell, Run } from '../run.js';
import type { CallNode, FunctionNode } from '../tree.js';
import { describeType, type FeelValue } from '../values/values.js';
import { assertCall } from './assert.js';
import type { Code, NodeCompiler } from './compiler.js';
import { tolerantCall } from './tolerant.js';

export const call: NodeCompiler<'call'> = (node, compile) => {
  const args = node.arguments.map(compile);
  const { callee } = node;
  if (callee.kind === 'name' && callee.builtin === true) {
    if (TOLERANT_FUNCTIONS.includes(callee.name)) return tolerantCall(node, callee.name, args);
    const builtin = builtinOf(callee.name) as Builtin;
    const plain = builtinCall(node, callee.name, builtin, args);
    const direct = callee.name === 'assert' ? assertCall(node, plain) : plain;
    return callee.shadowed === true
      ? unlessVariable(callee.name, valueCall(node, compile(callee), args), direct)
      : direct;
  }
  return valueCall(node, callee.kind === 'name' ? calleeName(callee) : compile(callee), args);
};

function evaluateAll(run: Run, cell: Cell | null, codes: readonly Code[]): FeelValue[] {
  const values: FeelValue[] = [];
  for (const code of codes) values.push(code(run, cell));
  return values;
}

function builtinCall(node: CallNode, name: string, builtin: Builtin, args: readonly Code[]): Code {
  const { at, names } = node;
  const spans = node.arguments.map((argument) => argument.at);
  return (run, cell) => invokeBuiltin(name, builtin, run, at, evaluateAll(run, cell, args), spans, names);
}

/**
 * A function in a variable takes precedence over the built-in function of the same name; a variable of another type
 * does not.
 */
function unlessVariable(name: string, variable: Code, builtin: Code): Code {
  return (run, cell) => (run.variable(name) instanceof FeelFunction ? variable : builtin)(run, cell);
}

function valueCall(
  node: CallNode,
  callee: (run: Run, cell: Cell | null) => FeelValue | undefined,
  args: readonly Code[],
): Code {
  const { at, names } = node;
  return (run, cell) => {
    const value = callee(run, cell);
    if (value === undefined)
      return run.fail(node.callee.at, 'UNRESOLVED_VARIABLE', 'There is no function with this name.');
    if (!(value instanceof FeelFunction)) {
      return run.fail(node.callee.at, 'NOT_A_FUNCTION', `A call needs a function, but this is ${describeType(value)}.`);
    }
    return value.invoke(run, evaluateAll(run, cell, args), at, names);
  };
}

/** Orders named arguments by the parameters; undefined if names and parameters differ. */
function arrange(
  parameters: readonly Parameter[],
  args: readonly FeelValue[],
  names: readonly string[] | undefined,
): readonly FeelValue[] | undefined {
  if (args.length !== parameters.length) return undefined;
  if (names === undefined) return args;
  const arranged: FeelValue[] = [];
  for (const { name } of parameters) {
    const index = names.indexOf(name);
    if (index < 0) return undefined;
    arranged.push(args[index] ?? null);
  }
  return arranged;
}

/** Arguments in order, converted to the types of their parameters; null after a failure. */
export function fitArguments(
  run: Run,
  at: Span,
  parameters: readonly Parameter[],
  args: readonly FeelValue[],
  names: readonly string[] | undefined,
): FeelValue[] | null {
  const arranged = arrange(parameters, args, names);
  if (arranged === undefined) {
    const expected = parameters.map(({ name }) => name).join(', ');
    return run.fail(
      at,
      'INVALID_ARGUMENT',
      `The function takes the arguments (${expected}), but was called with ${args.length}${names === undefined ? '' : ` named ${names.join(', ')}`}.`,
    );
  }
  const fitted: FeelValue[] = [];
  for (const [index, { name, type }] of parameters.entries()) {
    const argument = arranged[index] ?? null;
    const value = type === undefined ? argument : coerce(argument, type, () => run.charge(1, at));
    if (value === undefined)
      return run.fail(
        at,
        'TYPE_MISMATCH',
        `The argument "${name}" must have the type of its parameter, but is ${describeType(argument)}.`,
      );
    fitted.push(value);
  }
  return fitted;
}

/** Type names may be the host's, which are known only at run time. */
function typedParameters(run: Run, node: FunctionNode): Parameter[] {
  return node.parameters.map(({ name, type }) =>
    type === undefined ? { name } : { name, type: resolveTypeNode(type, run.environment.resolveType) },
  );
}

export const functionLiteral: NodeCompiler<'function'> = (node, compile) => {
  const body = compile(node.body);
  const cost = compile.sizeOf(node.body);
  const result = inferType(node.body);
  const isTyped = node.parameters.some(({ type }) => type !== undefined);
  const untyped = node.parameters.map(({ name }): Parameter => ({ name }));
  return (run, cell) => {
    const home = run.variables;
    const parameters = isTyped ? typedParameters(run, node) : untyped;
    return new FeelFunction(
      undefined,
      parameters,
      (caller, args, at, names) => {
        caller.charge(cost, at);
        const fitted = fitArguments(caller, at, parameters, args, names);
        if (fitted === null) return null;
        let inner = cell;
        for (const value of fitted) inner = { value, up: inner };
        caller.enter(at);
        // A function sees the variables at its definition, wherever it is called.
        const value = caller.within(home, (own) => body(own, inner));
        caller.leave();
        return value;
      },
      result,
    );
  };
};

export const externalFunction: NodeCompiler<'external function'> =
  ({ at }) =>
  (run) =>
    run.fail(at, 'UNSUPPORTED', 'External functions (Java, PMML) are not supported.');
