/**
 * Input and output mappings, evaluated in their order. A target such as `order.price` sets one member. Of an output
 * mapping, the other members of the variable stay as they are where it is set; an input mapping makes a new local
 * variable that has the mapped members only.
 */
import { setMember, type Json, type Variables } from '../../contract/json.js';
import type { Failure, Result } from '../../failure.js';
import { failed } from '../../failure.js';
import { value } from '../../feel.js';
import type { Mapping } from '../../model/graph.js';
import type { Run } from '../../run.js';
import { variableScope } from '../../state/scopes.js';
import type { ElementInstance } from '../../state/state.js';

type Lookup = (name: string) => Json | undefined;

/** Members that are copied in the time of one operation. */
const MEMBERS_PER_WORK = 4;

const TOO_MUCH_COPIED: Failure = {
  errorType: 'FeelError',
  errorCode: 'BUDGET',
  message:
    'The mappings of this element copy more members of variables than one element may. Map to fewer members, or to variables with fewer members.',
};

/** The local variables that the input mappings of `element` make. */
export function mapInputs(run: Run, element: ElementInstance, mappings: readonly Mapping[]): Result<Variables> {
  return mapAll(run, element, mappings, 'input mapping');
}

/**
 * The variables that the output mappings of `element` set.
 * @param present the variable of a name where it will be set; its members that no mapping names are kept
 */
export function mapOutputs(
  run: Run,
  element: ElementInstance,
  mappings: readonly Mapping[],
  present: Lookup,
): Result<Variables> {
  return mapAll(run, element, mappings, 'output mapping', present);
}

/**
 * While the members of a variable are mapped, sources for it read the variable that the element sees, with the members
 * mapped so far: `=r.a` to `r.a`, then `=r.b` to `r.b`, works.
 */
function mapAll(
  run: Run,
  element: ElementInstance,
  mappings: readonly Mapping[],
  what: 'input mapping' | 'output mapping',
  present?: Lookup,
): Result<Variables> {
  const scope = variableScope(run.state, element);
  const visible: Lookup = (name) => scope.get(name) as Json | undefined;
  const mapped: Variables = {};
  const seen: Variables = {};
  const read: Variables = {};
  for (const { source, target } of mappings) {
    const [name, ...members] = target as [string, ...string[]];
    if (Object.hasOwn(seen, name)) setMember(read, name, seen[name]!);
    const result = value(run, element, source, `${what} to ${target.join('.')}`, read);
    if (!result.ok) return result;
    const allowance = run.budget.unit;
    const before = own(mapped, name) ?? (members.length > 0 ? present?.(name) : undefined);
    const seenBefore = own(seen, name) ?? (members.length > 0 ? visible(name) : undefined);
    const after = withMember(run, before, members, result.value);
    setMember(mapped, name, after);
    setMember(seen, name, seenBefore === before ? after : withMember(run, seenBefore, members, result.value));
    // Sources for other variables read what an input mapping has made; an output mapping is not yet delivered.
    setMember(read, name, present ? seen[name]! : after);
    if (run.budget.unit < Math.min(0, allowance)) return failed(TOO_MUCH_COPIED);
  }
  return { ok: true, value: mapped };
}

/** A copy of `present` with one member changed. A value without members, such as null, a text or a list, is replaced. */
function withMember(run: Run, present: Json | undefined, members: readonly string[], item: Json): Json {
  if (members.length === 0) return item;
  const [name, ...rest] = members as [string, ...string[]];
  const copy: Variables = isContext(present) ? { ...present } : {};
  run.budget.chargeOperations(Object.keys(copy).length / MEMBERS_PER_WORK);
  setMember(copy, name, withMember(run, own(copy, name), rest, item));
  return copy;
}

function isContext(item: Json | undefined): item is Variables {
  return item !== null && typeof item === 'object' && !Array.isArray(item);
}

function own(variables: Variables, name: string): Json | undefined {
  return Object.hasOwn(variables, name) ? variables[name] : undefined;
}
