/** Perdure's own extension in the properties panel: the key by which a limit groups the jobs of a task. */
import { FeelEntry, Group, isFeelEntryEdited } from '@bpmn-io/properties-panel';
import { useEffect, useState } from '@bpmn-io/properties-panel/preact/hooks';
import { useService } from 'bpmn-js-properties-panel';
import { LIMITED } from './perdure-moddle.js';

interface ModdleObject {
  $type: string;
  $parent?: ModdleObject;
  $instanceOf(type: string): boolean;
  get<Value>(name: string): Value;
}

interface Shape {
  businessObject: ModdleObject;
}

interface PanelGroup {
  id: string;
}

class LimitProperties {
  static readonly $inject = ['propertiesPanel'];

  constructor(panel: { registerProvider(priority: number, provider: LimitProperties): void }) {
    // After the groups of Camunda 8 are there.
    panel.registerProvider(400, this);
  }

  getGroups(element: Shape) {
    return (groups: PanelGroup[]): PanelGroup[] => {
      if (!hasJobs(element.businessObject)) return groups;
      const at = groups.findIndex(({ id }) => id === 'taskDefinition') + 1;
      return groups.toSpliced(at === 0 ? groups.length : at, 0, groupOf(element));
    };
  }
}

function hasJobs(element: ModdleObject): boolean {
  return LIMITED.includes(element.$type) && extensionOf(element, 'zeebe:TaskDefinition') !== undefined;
}

function groupOf(element: Shape) {
  const entry = { id: 'perdure-limit-key', element, component: LimitKey, isEdited: isFeelEntryEdited };
  return { id: 'perdure-limit', label: 'Job limit', component: Group, entries: [entry] };
}

function LimitKey({ element, id }: { element: Shape; id: string }) {
  const commandStack = useService<CommandStack>('commandStack');
  const factory = useService<Factory>('bpmnFactory');
  return FeelEntry({
    element,
    id,
    label: 'Key',
    feel: 'required',
    description: 'Divides the jobs of the type into groups, each with the whole limit.',
    debounce: useService('debounceInput'),
    variables: useVariables(element),
    getValue: () => extensionOf(element.businessObject, 'perdure:Limit')?.get('key') ?? '',
    setValue: (key: string | undefined) =>
      commandStack.execute('properties-panel.multi-command-executor', changesFor(element, factory, key)),
  });
}

interface CommandStack {
  execute(command: string, context: unknown): void;
}
interface Factory {
  create(type: string, properties: object): ModdleObject;
}

/** The commands that set the key. One of them makes the first extension element, and one removes an empty limit. */
function changesFor(element: Shape, factory: Factory, key: string | undefined): object[] {
  const owner = element.businessObject;
  const existing = owner.get<ModdleObject | undefined>('extensionElements');
  const limit = extensionOf(owner, 'perdure:Limit');
  const update = (moddleElement: ModdleObject, properties: object) => ({
    cmd: 'element.updateModdleProperties',
    context: { element, moddleElement, properties },
  });
  if (limit !== undefined && key) return [update(limit, { key })];
  const others = (existing?.get<ModdleObject[]>('values') ?? []).filter((value) => value !== limit);
  if (!key) return existing ? [update(existing, { values: others })] : [];
  const extensions = existing ?? factory.create('bpmn:ExtensionElements', { values: [] });
  extensions.$parent ??= owner;
  const added = factory.create('perdure:Limit', { key });
  added.$parent = extensions;
  return [
    ...(existing ? [] : [update(owner, { extensionElements: extensions })]),
    update(extensions, { values: [...others, added] }),
  ];
}

function extensionOf(element: ModdleObject, type: string): ModdleObject | undefined {
  const extensions = element.get<ModdleObject | undefined>('extensionElements');
  return extensions?.get<ModdleObject[]>('values').find(({ $type }) => $type === type);
}

interface VariableResolver {
  getVariablesForElement(element: ModdleObject): Promise<{ name: string }[]>;
}

/** The variables that reach the element, for completion. */
function useVariables(element: Shape): readonly { name: string }[] {
  const resolver = useService<VariableResolver>('variableResolver');
  const [variables, setVariables] = useState<readonly { name: string }[]>([]);
  useEffect(() => {
    let isCurrent = true;
    void resolver.getVariablesForElement(element.businessObject).then((found) => isCurrent && setVariables(found));
    return () => {
      isCurrent = false;
    };
  }, [element, resolver]);
  return variables;
}

export const limitPropertiesModule = {
  __init__: ['limitProperties'],
  limitProperties: ['type', LimitProperties],
};
