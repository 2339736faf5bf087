/**
 * The parsed file: every BPMN element as a `SourceElement`, with ids and references resolved here. Lookups use maps, so
 * that an element may be called `constructor`.
 */
import type { ModdleElement, ModdleReference } from 'bpmn-moddle';
import type { SourceElement, SourceExtension } from '@perdure/engine/model/source.js';
import { booleanOf, isXmlID, localName, MAX_ID_LENGTH, prefixOf } from '@perdure/xml/names.js';
import { nameFlows } from './derived-ids.js';
import { Extension } from './extension.js';
import { extensionFromAttributes } from './foreign-attributes.js';
import { booleanAttributes } from './meta-model.js';
import { elementName } from './names.js';
import type { Namespaces } from './namespaces.js';
import type { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';
import { PERDURE } from '@perdure/lib/model-files/namespaces.js';
import type { ReadFile } from './reader.js';
import { readRoles, withRoles } from './resource-roles.js';

/** Maximum entries listed in one warning. */
const MAX_NAMED = 10;

export class BpmnElement implements SourceElement {
  readonly #document: BpmnDocument;
  readonly #element: ModdleElement;
  #derivedID: string | undefined;
  #namespaces: readonly string[] | undefined;
  #extensions: readonly Extension[] | undefined;
  #extensionNames: ReadonlySet<string> | undefined;
  readonly parent?: BpmnElement;
  readonly type: string;

  constructor(document: BpmnDocument, element: ModdleElement, parent?: BpmnElement) {
    this.#document = document;
    this.#element = element;
    if (parent) this.parent = parent;
    this.type = elementName(element);
  }

  get ownID(): string | undefined {
    return this.attribute('id') ?? this.#derivedID;
  }

  /** Assigns an id to an element that has none in the file. */
  deriveID(id: string): void {
    this.#derivedID = id;
  }

  /** Its own id, otherwise that of the nearest enclosing element that has one. */
  get id(): string {
    return this.ownID ?? this.parent?.id ?? '';
  }

  get name(): string | undefined {
    return this.attribute('name');
  }

  /** An attribute of BPMN, or an extension attribute with that local name if BPMN has none. */
  attribute(name: string): string | undefined {
    const own = this.#own(name) ?? this.#foreign(name);
    if (typeof own === 'string') return own;
    if (this.#element.$descriptor?.propertiesByName[name]) return this.#document.referencedIDs(this.#element, name)[0];
    return this.foreignAttributes().find(([foreign]) => localName(foreign) === name)?.[1];
  }

  /**
   * Whether a boolean attribute is true; `fallback` if it is absent or not a boolean, which is reported once for the
   * whole file.
   */
  flag(name: string, fallback: boolean): boolean {
    const text = this.attribute(name);
    return (text === undefined ? undefined : booleanOf(text)) ?? fallback;
  }

  /** Attributes that BPMN defines as boolean and whose value is not. */
  wrongFlags(): string[] {
    return booleanAttributes.filter((name) => {
      const text = this.#own(name);
      return typeof text === 'string' && booleanOf(text) === undefined;
    });
  }

  /** Attributes of other namespaces, as written, with their prefix. */
  foreignAttributes(): [name: string, value: string][] {
    return Object.entries(this.#element.$attrs ?? {}).filter(
      ([name]) => name.includes(':') && !name.startsWith('xmlns:') && !name.startsWith('xsi:'),
    );
  }

  /** The namespace of a prefix in a text; undefined if it is not declared here. */
  namespace(prefix: string): string | undefined {
    return this.#foreign(`xmlns:${prefix}`) ?? this.parent?.namespace(prefix);
  }

  /** The namespace of a foreign attribute, by its name. */
  namespaceOfAttribute(name: string): string | undefined {
    const prefix = prefixOf(name);
    return this.#document.namespaces.of(prefix) ?? this.namespace(prefix);
  }

  /** Of this element and its enclosing elements. */
  declaredNamespaces(): readonly string[] {
    return (this.#namespaces ??= this.#readNamespaces());
  }

  #readNamespaces(): readonly string[] {
    const own = Object.entries(this.#element.$attrs ?? {})
      .filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'))
      .map(([, namespace]) => namespace);
    const around = this.parent?.declaredNamespaces() ?? [];
    return own.length === 0 ? around : [...own, ...around];
  }

  extensions(): readonly Extension[] {
    return (this.#extensions ??= this.#readExtensions());
  }

  /** Whether it has an extension element with this local name. */
  hasExtension(name: string): boolean {
    this.#extensionNames ??= new Set(this.extensions().map((extension) => extension.name));
    return this.#extensionNames.has(name);
  }

  #readExtensions(): Extension[] {
    return this.#elements('extensionElements').flatMap((container) =>
      elementsIn(container['values']).map((value) => new Extension(value, this.#document.namespaces)),
    );
  }

  /**
   * The extension element with this local name, or the equivalent given by BPMN's own elements or by attributes of
   * other engines.
   */
  extension(name: string): SourceExtension | undefined {
    const given = this.#givenExtension(name);
    return name === 'assignmentDefinition' && this.type === 'userTask'
      ? withRoles(given, readRoles(this).assignment)
      : given;
  }

  perdureExtension(name: string): SourceExtension | undefined {
    return this.extensions().find((extension) => extension.namespace === PERDURE && extension.name === name);
  }

  /** Sub-processes hand nothing down. An event does: its definition has the job. */
  inheritedExtension(name: string): SourceExtension | undefined {
    return this.extension(name) ?? this.#giver()?.inheritedExtension(name);
  }

  /** The event of an event definition, or the process of anything else. */
  #giver(): BpmnElement | undefined {
    if (this.type.endsWith('EventDefinition')) return this.parent;
    for (let around = this.parent; around; around = around.parent) if (around.type === 'process') return around;
    return undefined;
  }

  /** Whether `attribute` of extension element `name` is given by anything other than resource roles. */
  gives(name: string, attribute: string): boolean {
    return this.#givenExtension(name)?.attribute(attribute) !== undefined;
  }

  #givenExtension(name: string): SourceExtension | undefined {
    const foreign = (attribute: string) =>
      this.foreignAttributes().find(([qualified]) => localName(qualified) === attribute)?.[1];
    return (
      this.extensions().find((extension) => extension.name === name) ??
      extensionFromAttributes(name, this.type, foreign)
    );
  }

  /** Child elements by their property name in the meta-model: `flowElements`, `timeDuration`, `script`. */
  children(name: string): BpmnElement[] {
    const text = this.#own(name);
    if (typeof text === 'string') return [new BpmnElement(this.#document, { $type: name, body: text }, this)];
    return this.#elements(name).map((element) => this.#document.wrap(element));
  }

  /** Every child element that the meta-model knows. */
  all(): BpmnElement[] {
    return Object.keys(this.#element)
      .filter((key) => !key.startsWith('$') && key !== 'extensionElements')
      .flatMap((key) => this.#elements(key))
      .map((element) => this.#document.wrap(element));
  }

  eventDefinitions(): BpmnElement[] {
    return [...this.children('eventDefinitions'), ...this.references('eventDefinitionRef')];
  }

  references(name: string): BpmnElement[] {
    return this.#document.referencedIDs(this.#element, name).flatMap((id) => this.#document.find(id) ?? []);
  }

  reference(name: string): BpmnElement | undefined {
    return this.references(name)[0];
  }

  get text(): string {
    const text = this.#own('body') ?? this.#own('text');
    return typeof text === 'string' ? text.trim() : '';
  }

  #own(name: string): unknown {
    return Object.hasOwn(this.#element, name) ? this.#element[name] : undefined;
  }

  #foreign(name: string): string | undefined {
    const attributes = this.#element.$attrs;
    return attributes && Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  }

  #elements(name: string): ModdleElement[] {
    return elementsIn(this.#own(name)).filter((element) => element.$parent === this.#element);
  }
}

export class BpmnDocument {
  readonly definitions: BpmnElement;
  readonly namespaces: Namespaces;
  readonly #wrapped = new Map<ModdleElement, BpmnElement>();
  readonly #byID = new Map<string, BpmnElement>();
  readonly #flowsWithoutID: BpmnElement[] = [];
  readonly #references = new Map<ModdleElement, Map<string, string[]>>();

  constructor({ rootElement, references: read, drawn, namespaces }: ReadFile, problems: Diagnostics) {
    this.namespaces = namespaces;
    // bpmn-moddle keeps surrounding white space, and returns nothing at all for an empty element.
    const references = read.map((reference) => ({ ...reference, id: (reference.id ?? '').trim() }));
    this.definitions = new BpmnElement(this, rootElement);
    this.#wrapped.set(rootElement, this.definitions);
    for (const reference of references) this.#note(reference);
    this.#index(this.definitions, problems);
    nameFlows(this.#flowsWithoutID, this.#byID);
    const notes = new Set<string>();
    for (const { element, property, id } of references)
      this.#checkReference(this.wrap(element), localName(property), id, notes, problems);
    warnOfDangling('Artifacts and collaborations of the file refer', [...notes], problems);
    warnOfDangling(
      'The diagram refers',
      drawn.dangling((id) => this.find(id) !== undefined),
      problems,
    );
  }

  wrap(element: ModdleElement): BpmnElement {
    const known = this.#wrapped.get(element);
    if (known) return known;
    const wrapped = new BpmnElement(this, element, element.$parent && this.wrap(element.$parent));
    this.#wrapped.set(element, wrapped);
    return wrapped;
  }

  referencedIDs(element: ModdleElement, name: string): readonly string[] {
    return this.#references.get(element)?.get(name) ?? [];
  }

  /** The element with this id; a reference may have the prefix of the file's own target namespace (`xsd:QName`). */
  find(id: string): BpmnElement | undefined {
    const found = this.#byID.get(id);
    if (found || !id.includes(':')) return found;
    const namespace = this.definitions.namespace(id.slice(0, id.indexOf(':')));
    return namespace !== undefined && namespace === this.definitions.attribute('targetNamespace')
      ? this.#byID.get(localName(id))
      : undefined;
  }

  #note({ element, property, id }: Required<ModdleReference>): void {
    let ofElement = this.#references.get(element);
    if (!ofElement) this.#references.set(element, (ofElement = new Map()));
    const name = localName(property);
    const ids = ofElement.get(name);
    if (ids) ids.push(id);
    else ofElement.set(name, [id]);
  }

  #index(element: BpmnElement, problems: Diagnostics): void {
    const id = element.ownID;
    if (id !== undefined) this.#register(id, element, problems);
    else if (element.type === 'sequenceFlow') this.#flowsWithoutID.push(element);
    for (const name of element.wrongFlags())
      problems.error(
        element.id,
        `${name} of ${element.type} must be true or false, but is ${JSON.stringify(element.attribute(name))}`,
      );
    for (const child of element.all()) this.#index(child, problems);
  }

  #register(id: string, element: BpmnElement, problems: Diagnostics): void {
    if (id.length > MAX_ID_LENGTH)
      problems.error(
        undefined,
        `The id ${JSON.stringify(id.slice(0, 40))}... has ${id.length} characters, but the limit is ${MAX_ID_LENGTH}`,
      );
    else if (!isXmlID(id))
      problems.error(
        id,
        `${JSON.stringify(id)} is not a valid id: it must start with a letter or _ and contain only letters, digits, _, - and .`,
      );
    const other = this.#byID.get(id);
    if (other) problems.error(id, `The id ${id} is used twice: by a ${other.type} and by a ${element.type}`);
    else this.#byID.set(id, element);
  }

  /** @param notes receives missing ids that do not matter for execution */
  #checkReference(element: BpmnElement, name: string, id: string, notes: Set<string>, problems: Diagnostics): void {
    if (this.find(id)) return;
    const prefix = id.includes(':') ? id.slice(0, id.indexOf(':')) : undefined;
    if (prefix !== undefined && element.namespace(prefix) !== undefined) {
      problems.warning(element.id, `${name} of ${element.type} refers to ${id} in another file, which is not read`);
    } else if (isNote(element)) {
      notes.add(id);
    } else {
      problems.error(
        element.id,
        `${name} of ${element.type} refers to ${JSON.stringify(id)}, but the file has no element with that id`,
      );
    }
  }
}

/** Elements that explain or connect others, and have no effect on execution. */
const NOTES = new Set([
  'association',
  'group',
  'relationship',
  'collaboration',
  'choreography',
  'globalConversation',
  'partnerEntity',
  'partnerRole',
]);

/** A compensation event that lacks its association is reported where events are compiled. */
function isNote(element: BpmnElement): boolean {
  for (let around: BpmnElement | undefined = element; around; around = around.parent)
    if (NOTES.has(around.type)) return true;
  return false;
}

function warnOfDangling(who: string, dangling: readonly string[], problems: Diagnostics): void {
  if (dangling.length === 0) return;
  const some = dangling
    .slice(0, MAX_NAMED)
    .map((id) => JSON.stringify(id.slice(0, MAX_ID_LENGTH)))
    .join(', ');
  const more = dangling.length > MAX_NAMED ? ` and ${dangling.length - MAX_NAMED} more` : '';
  problems.warning(
    undefined,
    `${who} to ${some}${more}, but the file has no such element. Execution is not affected. Redraw these elements to repair the diagram.`,
  );
}

/** `element` and every BPMN element inside it, in document order. */
export function below(element: BpmnElement): BpmnElement[] {
  return [element, ...element.all().flatMap(below)];
}

function elementsIn(value: unknown): ModdleElement[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.filter((item): item is ModdleElement => typeof item === 'object' && item !== null && '$type' in item);
}
