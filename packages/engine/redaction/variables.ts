import { setMember, type Variables } from '../contract/json.js';

/** Names of variables whose values are redacted. */
export type RedactedNames = ReadonlySet<string>;

/** Null instead of the values of these names; the same object if it has none of them. */
export function redactVariables(variables: Variables, names: RedactedNames): Variables {
  const found = Object.keys(variables).filter((name) => names.has(name) && variables[name] !== null);
  if (found.length === 0) return variables;
  const redacted = { ...variables };
  for (const name of found) setMember(redacted, name, null);
  return redacted;
}

/** The object with its member `member` redacted; the same object if that has none of the names. */
export function redactMember<Member extends string, Value extends { readonly [M in Member]?: Variables | undefined }>(
  value: Value,
  member: Member,
  names: RedactedNames,
): Value {
  const variables = value[member];
  if (variables === undefined) return value;
  const redacted = redactVariables(variables, names);
  return redacted === variables ? value : { ...value, [member]: redacted };
}
