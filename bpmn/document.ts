/**
 * The parsed file: every element of BPMN as a `SourceElement`, ids and references resolved by us. Lookups are maps,
 * so that an element may be called `constructor`.
 */
import type { ModdleElement, ModdleReference } from 'bpmn-moddle';
import type { SourceElement, SourceExtension } from '../engine/source.js';
import { nameFlows } from './derived-ids.js';
import { Extension } from './extension.js';
import { extensionFromAttributes } from './foreign-dialect.js';
import { booleanAttributes } from './meta-model.js';
import { booleanOf, elementName, isXmlID, localName, MAX_ID_LENGTH } from './names.js';
import type { Problems } from './problem.js';
import type { ReadFile } from './reader.js';
import { readRoles, withRoles } from './resource-roles.js';


/** Of what one warning lists. */
const MOST_NAMED = 10;

export class BpmnElement implements SourceElement {
  readonly #document: BpmnDocument;
  readonly #element: ModdleElement;
  #derivedID: string | undefined;
  #namespaces: readonly string[] | undefined;
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

  /** Gives an id to an element that the file gives none. */
  deriveID(id: string): void {
    this.#derivedID = id;
  }

  /** Its own id, else that of the nearest element around it that has one. */
  get id(): string {
    return this.ownID ?? this.parent?.id ?? '';
  }

  get name(): string | undefined {
    return this.attribute('name');
  }

  /** An attribute of BPMN, or an extension attribute of that local name where BPMN has none. */
  attribute(name: string): string | undefined {
    const own = this.#own(name) ?? this.#foreign(name);
    if (typeof own === 'string') return own;
    if (this.#element.$descriptor?.propertiesByName[name]) return this.#document.referencedIDs(this.#element, name)[0];
    return this.foreignAttributes().find(([foreign]) => localName(foreign) === name)?.[1];
  }

  /** Whether a boolean attribute is true; `fallback` when it is not there, or is no boolean, which is reported once for all. */
  flag(name: string, fallback: boolean): boolean {
    const text = this.attribute(name);
    return (text === undefined ? undefined : booleanOf(text)) ?? fallback;
  }

  /** Attributes that BPMN has as booleans and that are none here. */
  wrongFlags(): string[] {
    return booleanAttributes.filter((name) => {
      const text = this.#own(name);
      return typeof text === 'string' && booleanOf(text) === undefined;
    });
  }

  /** Attributes of other namespaces, as written, with their prefix. */
  foreignAttributes(): [name: string, value: string][] {
    return Object.entries(this.#element.$attrs ?? {}).filter(([name]) => name.includes(':') && !name.startsWith('xmlns:') && !name.startsWith('xsi:'));
  }

  /** What a namespace prefix stands for here; undefined when it is not declared. */
  namespace(prefix: string): string | undefined {
    return this.#foreign(`xmlns:${prefix}`) ?? this.parent?.namespace(prefix);
  }

  /** Of this element and those around it. */
  declaredNamespaces(): readonly string[] {
    return (this.#namespaces ??= this.#readNamespaces());
  }

  #readNamespaces(): readonly string[] {
    const own = Object.entries(this.#element.$attrs ?? {}).filter(([name]) => name.startsWith('xmlns:')).map(([, namespace]) => namespace);
    const around = this.parent?.declaredNamespaces() ?? [];
    return own.length === 0 ? around : [...own, ...around];
  }

  extensions(): Extension[] {
    return this.#elements('extensionElements').flatMap((container) => elementsIn(container['values']).map((value) => new Extension(value)));
  }

  /** The extension element of this local name, or what BPMN's own elements or attributes of other engines say instead. */
  extension(name: string): SourceExtension | undefined {
    const given = this.#givenExtension(name);
    return name === 'assignmentDefinition' && this.type === 'userTask' ? withRoles(given, readRoles(this).assignment) : given;
  }

  /** Whether `attribute` of extension element `name` is given, by whatever but resource roles. */
  gives(name: string, attribute: string): boolean {
    return this.#givenExtension(name)?.attribute(attribute) !== undefined;
  }

  #givenExtension(name: string): SourceExtension | undefined {
    const foreign = (attribute: string) => this.foreignAttributes().find(([qualified]) => localName(qualified) === attribute)?.[1];
    return this.extensions().find((extension) => extension.name === name) ?? extensionFromAttributes(name, this.type, foreign);
  }

  /** Child elements by the meta-model's name of where they stand: `flowElements`, `timeDuration`, `script`. */
  children(name: string): BpmnElement[] {
    const text = this.#own(name);
    if (typeof text === 'string') return [new BpmnElement(this.#document, { $type: name, body: text }, this)];
    return this.#elements(name).map((element) => this.#document.wrap(element));
  }

  /** Every child element that the meta-model knows. */
  all(): BpmnElement[] {
    return Object.keys(this.#element).filter((key) => !key.startsWith('$') && key !== 'extensionElements').flatMap((key) => this.#elements(key))
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
  readonly #wrapped = new Map<ModdleElement, BpmnElement>();
  readonly #byID = new Map<string, BpmnElement>();
  readonly #flowsWithoutID: BpmnElement[] = [];
  readonly #references = new Map<ModdleElement, Map<string, string[]>>();

  constructor({ rootElement, references: read, drawn }: ReadFile, problems: Problems) {
    // bpmn-moddle leaves white space around, and nothing at all for an empty element.
    const references = read.map((reference) => ({ ...reference, id: (reference.id ?? '').trim() }));
    this.definitions = new BpmnElement(this, rootElement);
    this.#wrapped.set(rootElement, this.definitions);
    for (const reference of references) this.#note(reference);
    this.#index(this.definitions, problems);
    nameFlows(this.#flowsWithoutID, this.#byID);
    for (const { element, property, id } of references) this.#checkReference(this.wrap(element), localName(property), id, problems);
    this.#checkDrawing(drawn.dangling((id) => this.find(id) !== undefined), problems);
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

  /** The element of this id; a reference may carry the prefix of the file's own target namespace (`xsd:QName`). */
  find(id: string): BpmnElement | undefined {
    const found = this.#byID.get(id);
    if (found || !id.includes(':')) return found;
    const namespace = this.definitions.namespace(id.slice(0, id.indexOf(':')));
    return namespace !== undefined && namespace === this.definitions.attribute('targetNamespace') ? this.#byID.get(localName(id)) : undefined;
  }

  #checkDrawing(dangling: readonly string[], problems: Problems): void {
    if (dangling.length === 0) return;
    const some = dangling.slice(0, MOST_NAMED).map((id) => JSON.stringify(id.slice(0, MAX_ID_LENGTH))).join(', ');
    const more = dangling.length > MOST_NAMED ? ` and ${dangling.length - MOST_NAMED} more` : '';
    problems.warning(undefined, `The diagram refers to ${some}${more}, but the file has no element of that id. Execution is not affected. Redraw these elements to repair the diagram.`);
  }

  #note({ element, property, id }: Required<ModdleReference>): void {
    let ofElement = this.#references.get(element);
    if (!ofElement) this.#references.set(element, (ofElement = new Map()));
    const name = localName(property);
    const ids = ofElement.get(name);
    if (ids) ids.push(id);
    else ofElement.set(name, [id]);
  }

  #index(element: BpmnElement, problems: Problems): void {
    const id = element.ownID;
    if (id !== undefined) this.#register(id, element, problems);
    else if (element.type === 'sequenceFlow') this.#flowsWithoutID.push(element);
    for (const name of element.wrongFlags()) problems.error(element.id, `${name} of ${element.type} must be true or false, but it is ${JSON.stringify(element.attribute(name))}`);
    for (const child of element.all()) this.#index(child, problems);
  }

  #register(id: string, element: BpmnElement, problems: Problems): void {
    if (id.length > MAX_ID_LENGTH) problems.error(undefined, `The id ${JSON.stringify(id.slice(0, 40))}... has ${id.length} characters; at most ${MAX_ID_LENGTH} are allowed`);
    else if (!isXmlID(id)) problems.error(id, `${JSON.stringify(id)} is not a legal id: it must begin with a letter or _ and hold letters, digits, _, - and . only`);
    const other = this.#byID.get(id);
    if (other) problems.error(id, `The id ${id} is given twice: to a ${other.type} and to a ${element.type}`);
    else this.#byID.set(id, element);
  }

  #checkReference(element: BpmnElement, name: string, id: string, problems: Problems): void {
    if (this.find(id)) return;
    const prefix = id.includes(':') ? id.slice(0, id.indexOf(':')) : undefined;
    if (prefix !== undefined && element.namespace(prefix) !== undefined) {
      problems.warning(element.id, `${name} of ${element.type} names ${id} of another file, which is not read`);
    } else {
      problems.error(element.id, `${name} of ${element.type} names ${JSON.stringify(id)}, but the file has no element of that id`);
    }
  }
}

function elementsIn(value: unknown): ModdleElement[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.filter((item): item is ModdleElement => typeof item === 'object' && item !== null && '$type' in item);
}
