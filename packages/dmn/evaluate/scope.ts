/** Meaning of names at a position in a model: scopes linked from the inside out. */
import type { VariableLookup } from '@perdure/feel/evaluate.js';
import { entryOf, isContext, type FeelContext, type FeelValue } from '@perdure/feel/values/values.js';

export abstract class Scope implements VariableLookup {
  constructor(readonly up: Scope | undefined) {}

  /** The value of a name in this scope itself; undefined if it has none. */
  abstract own(name: string): FeelValue | undefined;

  get(name: string): FeelValue | undefined {
    return find(this, name);
  }

  has(name: string): boolean {
    return find(this, name) !== undefined;
  }
}

function find(innermost: Scope, name: string): FeelValue | undefined {
  for (let scope: Scope | undefined = innermost; scope !== undefined; scope = scope.up) {
    const value = scope.own(name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** One name: an iteration variable. */
export class BoundName extends Scope {
  constructor(
    readonly name: string,
    readonly value: FeelValue,
    up: Scope | undefined,
  ) {
    super(up);
  }

  override own(name: string): FeelValue | undefined {
    return name === this.name ? this.value : undefined;
  }
}

/** `partial`: the loop's results so far, as a list that does not change when the loop continues. */
export class PartialResults extends Scope {
  private copy: FeelValue[] | undefined;

  constructor(
    private readonly results: readonly FeelValue[],
    up: Scope,
  ) {
    super(up);
  }

  /** Items copied because the name was read. */
  get copied(): number {
    return this.copy?.length ?? 0;
  }

  override own(name: string): FeelValue | undefined {
    return name === 'partial' ? (this.copy ??= this.results.slice()) : undefined;
  }
}

/** Several names: the requirements of an element, the parameters of a function, the entries of a context so far. */
export class BoundNames extends Scope {
  constructor(
    readonly values: ReadonlyMap<string, FeelValue>,
    up?: Scope,
  ) {
    super(up);
  }

  override own(name: string): FeelValue | undefined {
    return this.values.get(name);
  }
}

/** Values given by the caller, for names that decisions read without declaring them. */
export class GivenNames extends Scope {
  constructor(
    readonly given: FeelContext,
    readonly names: readonly string[],
  ) {
    super(undefined);
  }

  override own(name: string): FeelValue | undefined {
    return this.names.includes(name) ? entryOf(this.given, name) : undefined;
  }
}

/** An item of a filtered list: `item`, and the item's entries by their names. */
export class FilteredItem extends Scope {
  constructor(
    readonly item: FeelValue,
    up: Scope | undefined,
  ) {
    super(up);
  }

  override own(name: string): FeelValue | undefined {
    const entry = isContext(this.item) ? entryOf(this.item, name) : undefined;
    return entry === undefined && name === 'item' ? this.item : entry;
  }
}

/** A scope that declares nothing. */
export const NO_NAMES: Scope = new BoundNames(new Map());
