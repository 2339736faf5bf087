/** `inputOutput` of Camunda 7: mappings of variables. */
import type { Context, Rule } from '../context.js';
import { isBpmn } from '../names.js';
import { quoted } from '../report.js';
import { expressionAsFeel, holdsJuel } from '@perdure/juel/text.js';
import { namesAt } from '../loop-names.js';
import {
  appendZeebe,
  engineChildren,
  engineExtensions,
  hasZeebeExtension,
  remove,
  textOf,
  zeebeExtension,
} from '../xml/edit.js';
import { elementsOf, type Element } from '../xml/document.js';

export const mappings: Rule = (element, context) => {
  if (!isBpmn(element)) return;
  for (const group of engineExtensions(element, 'inputOutput')) {
    convertGroup(element, group, context);
    remove(group);
    // Of what a connector returns, only its outputs ever leave it.
    if (hasZeebeExtension(element, 'ioMapping') && engineExtensions(element, 'connector').length === 0)
      context.mappedOutputs.add(zeebeExtension(element, 'ioMapping'));
  }
};

/** @param group an `inputOutput` element, of the activity or of its connector */
export function convertGroup(activity: Element, group: Element, context: Context): void {
  for (const parameter of engineChildren(group, 'inputParameter')) addMapping(activity, parameter, 'input', context);
  for (const parameter of engineChildren(group, 'outputParameter')) addMapping(activity, parameter, 'output', context);
}

export function addInput(activity: Element, source: string, target: string): void {
  appendZeebe(zeebeExtension(activity, 'ioMapping'), 'input', { source, target });
}

export function addOutput(activity: Element, source: string, target: string): void {
  appendZeebe(zeebeExtension(activity, 'ioMapping'), 'output', { source, target });
}

function addMapping(activity: Element, parameter: Element, kind: 'input' | 'output', context: Context): void {
  const name = parameter.getAttribute('name') ?? '';
  const feel = valueOf(parameter, namesAt(activity));
  if (feel === undefined) {
    context.find(
      'unsupported',
      parameter,
      `The ${kind} parameter ${quoted(name)} (${described(parameter)}) has no certain equivalent in FEEL and was left out. Map it in the ${kind}s of the element.`,
    );
    return;
  }
  appendZeebe(zeebeExtension(activity, 'ioMapping'), kind, { source: `=${feel}`, target: name });
}

function described(parameter: Element): string {
  const content = elementsOf(parameter)[0];
  return content ? `a ${content.localName}` : quoted(textOf(parameter));
}

type NamesHere = ReturnType<typeof namesAt>;

/** FEEL of a parameter, entry, or list element: a text, a list, a map, or a script. */
function valueOf(parameter: Element, names: NamesHere): string | undefined {
  const content = elementsOf(parameter)[0];
  if (!content) return textValue(parameter, names);
  switch (content.localName) {
    case 'list':
      return listOf(content, names);
    case 'map':
      return contextOf(content, names);
    case 'script':
      return scriptAsFeel(content, names);
    case 'value':
      return textValue(content, names);
    default:
      return undefined;
  }
}

/** `parseParamValueProvider` of BpmnParseUtil in Camunda 7: what has no text is null. */
function textValue(element: Element, names: NamesHere): string | undefined {
  return textOf(element) === '' ? 'null' : expressionAsFeel(textOf(element), names);
}

function listOf(list: Element, names: NamesHere): string | undefined {
  const items = elementsOf(list).map((item) =>
    item.localName === 'script' ? scriptAsFeel(item, names) : textValue(item, names),
  );
  return items.includes(undefined) ? undefined : `[${items.join(', ')}]`;
}

function contextOf(map: Element, names: NamesHere): string | undefined {
  const entries = elementsOf(map).map((entry) => {
    const value = valueOf(entry, names);
    const key = entry.getAttribute('key') ?? '';
    return value === undefined || holdsJuel(key) ? undefined : `${JSON.stringify(key)}: ${value}`;
  });
  return entries.includes(undefined) ? undefined : `{${entries.join(', ')}}`;
}

/** Only scripts in JUEL; other languages are code. */
function scriptAsFeel(script: Element, names: NamesHere): string | undefined {
  const format = (script.getAttribute('scriptFormat') ?? '').toLowerCase();
  const text = textOf(script);
  return format === 'juel' && holdsJuel(text) ? expressionAsFeel(text, names) : undefined;
}
