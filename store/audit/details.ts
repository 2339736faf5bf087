/** Content of an audit entry in addition to ids: settings, URLs, kinds of signatures. */
import type { Json } from '@perdure/engine/contract/json.js';

/** By name. Undefined members are left out. A value that replaced another is shown as `{from, to}`. */
export type Details = Readonly<Record<string, Json | undefined>>;

const MAX_ITEMS = 100;
const MAX_TEXT_LENGTH = 2_000;
const MAX_LENGTH = 16 * 1024;
const LEFT_OUT = '(too long)';

/** The details in bounded length: a cut text or list ends in an ellipsis, and members that do not fit are named only. */
export function bounded(details: Details): Details {
  let length = 0;
  const fitting = (member: string, value: Json) => {
    const short = shortened(value);
    const added = JSON.stringify([member, short]).length;
    if (length + added > MAX_LENGTH) return LEFT_OUT;
    length += added;
    return short;
  };
  const fits = Object.entries(details).map(([name, value]) => [name, value && fitting(name, value)]);
  return Object.fromEntries(fits);
}

function shortened(value: Json): Json {
  if (typeof value === 'string') return value.length > MAX_TEXT_LENGTH ? `${value.slice(0, MAX_TEXT_LENGTH)}…` : value;
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map(shortened);
    return value.length > MAX_ITEMS ? [...items, '…'] : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).slice(0, MAX_ITEMS);
  return Object.fromEntries(members.map(([name, member]) => [name, shortened(member)]));
}

/** The members that differ, each with its value in `before` and in `after`. */
export function changesBetween(before: Details, after: Details): Details {
  const names = Object.keys({ ...before, ...after });
  const differing = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(differing.map((name) => [name, { from: before[name] ?? null, to: after[name] ?? null }]));
}
