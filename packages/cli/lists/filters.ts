/** Options of commands that list, derived from the filters of the list in the API. */
import type { FilterDescription, Filterable, FilterValues } from '@perdure/client';
import type { Invocation, Option } from '../command.js';
import { oneOf, someOf } from '../values.js';

/** Values of filters whose option is absent. */
export type Defaults = { readonly [name: string]: string };

/** Names of options that are not those of the filters in kebab case. */
const optionNames: { readonly [name: string]: string } = {
  activeNodeID: 'node',
  executionKey: 'key',
  failureReasonContains: 'failure-contains',
  hasIncident: 'incident',
  importedFromID: 'imported-id',
  includeChildren: 'children',
  isTest: 'tests',
  lockedBy: 'worker',
  parentWorkflowID: 'parent',
  processId: 'process',
  projectID: 'of-project',
  taskType: 'type',
  workflowID: 'instance',
};

/** `definitionID` is `--definition`, and `businessId` is `--business-id`. */
export function optionName(filter: string): string {
  const words = filter.replace(/ID$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return optionNames[filter] ?? words;
}

export function filterOptions({ filters }: Filterable, defaults: Defaults = {}): { [name: string]: Option } {
  return Object.fromEntries(
    filters.map((filter) => [optionName(filter.name), optionOf(filter, defaults[filter.name])]),
  );
}

/** @throws WrongUse when an option has a value that its filter does not take */
export function filterQuery<List extends Filterable>(
  { filters }: List,
  invocation: Invocation,
  defaults: Defaults = {},
): FilterValues<List> {
  const values = filters.map((filter) => [filter.name, valueOf(filter, invocation) ?? defaults[filter.name]]);
  return Object.fromEntries(values) as FilterValues<List>;
}

function valueOf(filter: FilterDescription, invocation: Invocation): string | true | undefined {
  const name = optionName(filter.name);
  if (filter.kind === 'boolean') return invocation.flag(name) || undefined;
  if (filter.kind !== 'enum') return invocation.option(name);
  return filter.several ? someOf(invocation, name, wordsOf(filter)) : oneOf(invocation, name, wordsOf(filter));
}

function optionOf(filter: FilterDescription, standard: string | undefined): Option {
  const help = helpOf(filter, standard);
  const value = placeholderOf(filter);
  if (filter.kind === 'boolean') return { type: 'boolean', help };
  if (filter.kind === 'enum') return { type: 'string', value, words: wordsOf(filter), help };
  return { type: 'string', value, help };
}

function placeholderOf({ name, kind }: FilterDescription): string {
  if (kind === 'time') return 'TIME';
  if (kind === 'enum') return optionName(name).replaceAll('-', '_').toUpperCase();
  return /(ID|Id|Key)$/.test(name) ? 'ID' : 'TEXT';
}

function helpOf(filter: FilterDescription, standard: string | undefined): string {
  const notes = [
    filter.several && 'several with commas',
    filter.minLength !== undefined && `at least ${filter.minLength} characters`,
    filter.needs !== undefined && `with --${optionName(filter.needs)}`,
    standard !== undefined && `default ${standard}`,
  ].filter((note) => typeof note === 'string');
  return `${meaningOf(filter)}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}

function meaningOf({ kind, label, values = [] }: FilterDescription): string {
  const subject = lowerFirst(label);
  if (kind === 'time') return `${subject} this RFC 3339 time`;
  if (kind === 'boolean') return `${subject}: ${lowerFirst(values[0]!.label)}`;
  return kind === 'enum' ? `${subject}: ${values.map(({ value }) => value).join(', ')}` : subject;
}

function wordsOf({ values = [] }: FilterDescription): string[] {
  return values.map(({ value }) => value);
}

function lowerFirst(label: string): string {
  return label.charAt(0).toLowerCase() + label.slice(1);
}
