/** The declaration of environment variables: one entry is the rule, the documentation, and the type of a variable. */
import type { Kind } from './kinds.js';

export type Environment = Readonly<Record<string, string | undefined>>;
export type Role = 'api' | 'worker' | 'connectors';

interface Declaration<Value> {
  /** The accepted values. */
  readonly kind: Kind<Value>;
  /** For operators, in Markdown. */
  readonly description: string;
  /** The default in words, in Markdown, for one that is computed elsewhere or brought up by `npm start`. */
  readonly defaultInWords?: string;
  /** The only roles that use it; undefined: every role. */
  readonly roles?: readonly Role[];
  /** The value never appears in a message, not even an invalid one. */
  readonly isSecret?: boolean;
}

export interface Variable<Value> extends Declaration<Value> {
  /** As an operator would write it; undefined: none. */
  readonly default?: string;
  readonly isRequired?: boolean;
}

/** The variables of one subject: one table of the documentation. */
export interface Section<Variables extends AnyVariables = AnyVariables> {
  readonly title: string;
  readonly variables: Variables;
}

export type AnyVariables = Readonly<Record<string, Variable<unknown>>>;
export type ValuesOf<Variables extends AnyVariables> = {
  [Name in keyof Variables]: Variables[Name] extends Variable<infer Value> ? Value : never;
};

/** A variable with a default or without which the host does not start always has a value. */
export function variable<Value>(
  declaration: Declaration<Value> & ({ readonly default: string } | { readonly isRequired: true }),
): Variable<Value>;
export function variable<Value>(declaration: Declaration<Value>): Variable<Value | undefined>;
export function variable<Value>(declaration: Variable<Value>): Variable<Value> {
  return declaration;
}
