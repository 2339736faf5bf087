/** Functions that a model defines, as FEEL values. */
import { fitArguments } from '@perdure/feel/compile/calls.js';
import { FeelFunction } from '@perdure/feel/functions.js';
import type { Run } from '@perdure/feel/run.js';
import type { FeelValue } from '@perdure/feel/values/values.js';
import { checkConstraints, type LoadedType } from './types.js';

interface LoadedParameter {
  name: string;
  type?: LoadedType;
}

/**
 * A function whose arguments are converted to the types of its parameters, in order, before `body` sees them. If one
 * does not fit, the function is not called and the result is null.
 */
export function createFunction(
  name: string | undefined,
  parameters: readonly LoadedParameter[],
  result: LoadedType | undefined,
  body: (run: Run, args: FeelValue[]) => FeelValue,
): FeelFunction {
  const signature = parameters.map(({ name: parameter, type }) => ({
    name: parameter,
    ...(type && { type: type.feel }),
  }));
  return new FeelFunction(
    name,
    signature,
    (run, args, at, names) => {
      run.charge(1 + parameters.length, at);
      const fitted = fitArguments(run, at, signature, args, names);
      if (fitted === null) return null;
      for (const [index, { name: parameter, type }] of parameters.entries()) {
        const argument = fitted[index] ?? null;
        if (argument !== null && checkConstraints(run, argument, type, `The argument "${parameter}"`) === null)
          return null;
      }
      run.enter(at);
      const value = body(run, fitted);
      run.leave();
      return value;
    },
    result?.feel,
  );
}

/**
 * The result type of a function, given the type of its variable: that of the function, or, before DMN 1.3, that of the
 * results.
 */
export function resultTypeOf(type: LoadedType | undefined): LoadedType | undefined {
  return type?.signature === undefined ? type : type.signature.result;
}
