/** Item definitions and references to types (DMN 1.5 section 7.3.2). */
import { simpleType } from '@perdure/feel/evaluate.js';
import type { Expression, ItemType, Type } from '../model.js';
import type { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';
import { childOf, childrenOf, nearestID, textOf, type XmlElement } from '../xml/element.js';
import type { ExpressionReader } from './expressions.js';
import { splitName, visibleFiles, type DmnFile } from './file.js';

const ANY: Type = { kind: 'simple', name: 'Any' };
/** Maximum length of a chain of item definitions that refer to each other. */
const MAX_REFERENCES = 100;
/** Types of other products whose values are not checked here: the JSON of Camunda 7. */
const UNCHECKED_NAMES: ReadonlySet<string> = new Set(['json']);
/** Names of number types in decision tables of other products. */
const NUMBER_NAMES: ReadonlySet<string> = new Set(['integer', 'long', 'double', 'int', 'float', 'decimal']);

export class TypeCompiler {
  readonly items: ItemType[] = [];
  readonly #problems: Diagnostics;
  readonly #expressions: ExpressionReader;
  /** Positions of finished item definitions. */
  readonly #positions = new Map<XmlElement, number>();
  readonly #underway = new Set<XmlElement>();
  readonly #definitions = new Map<DmnFile, Map<string, XmlElement>>();

  constructor(problems: Diagnostics, expressions: ExpressionReader) {
    this.#problems = problems;
    this.#expressions = expressions;
  }

  /** Compiles the item definitions of a file, whether or not something refers to them. */
  compileAll(file: DmnFile): void {
    for (const element of childrenOf(file.root, 'itemDefinition')) this.#item(file, element);
  }

  /** The type that the attribute (otherwise the element) `typeRef` refers to; undefined if none exists. */
  typeOf(file: DmnFile, element: XmlElement, attribute = 'typeRef'): Type | undefined {
    const text = (element.attributes.get(attribute) ?? textOf(element, attribute))?.trim();
    return text === undefined || text === '' ? undefined : this.#resolve(file, element, text);
  }

  #resolve(file: DmnFile, element: XmlElement, text: string): Type {
    const { namespace, prefix, name } = splitName(element, text);
    const target = this.#fileOf(file, namespace, prefix);
    const found = (target && this.#visibleItem(target, name)) ?? this.#importedItem(file, text);
    if (found !== undefined) return found;
    if (simpleType(name) !== undefined) return { kind: 'simple', name };
    if (NUMBER_NAMES.has(name)) return { kind: 'simple', name: 'number' };
    if (UNCHECKED_NAMES.has(name)) return ANY;
    this.#problems.error(nearestID(element), `There is no type named ${JSON.stringify(text)}`);
    return ANY;
  }

  #visibleItem(file: DmnFile, name: string): Type | undefined {
    for (const each of visibleFiles(file)) {
      const element = this.#find(each, name);
      if (element !== undefined) return this.#item(each, element);
    }
    return undefined;
  }

  /** A type written as the name of an import, a dot, and its own name. */
  #importedItem(file: DmnFile, text: string): Type | undefined {
    const found = file.imports.find(({ name }) => name !== '' && text.startsWith(`${name}.`));
    return found && this.#visibleItem(found.file, text.slice(found.name.length + 1));
  }

  #fileOf(file: DmnFile, namespace: string | undefined, prefix: string | undefined): DmnFile | undefined {
    if (namespace !== undefined && namespace !== file.namespace)
      return file.imports.find((candidate) => candidate.file.namespace === namespace)?.file;
    if (prefix === undefined || namespace !== undefined) return file;
    return file.imports.find((candidate) => candidate.name === prefix)?.file;
  }

  #find(file: DmnFile, name: string): XmlElement | undefined {
    let byName = this.#definitions.get(file);
    if (byName === undefined) {
      byName = new Map();
      for (const element of childrenOf(file.root, 'itemDefinition')) {
        const own = element.attributes.get('name') ?? '';
        if (byName.has(own))
          this.#problems.error(nearestID(element), `There are two item definitions named ${JSON.stringify(own)}`);
        else byName.set(own, element);
      }
      this.#definitions.set(file, byName);
    }
    return byName.get(name);
  }

  #item(file: DmnFile, element: XmlElement): Type {
    const known = this.#positions.get(element);
    if (known !== undefined) return { kind: 'item', item: known };
    const name = element.attributes.get('name') ?? '';
    if (this.#underway.has(element)) {
      this.#problems.warning(
        nearestID(element),
        `The item definition ${JSON.stringify(name)} contains itself, so values are not checked below that level`,
      );
      return ANY;
    }
    if (this.#underway.size === MAX_REFERENCES) {
      this.#problems.error(
        nearestID(element),
        `The chain of item definitions that refer to each other has more than ${MAX_REFERENCES} links. Shorten it.`,
      );
      return ANY;
    }
    this.#underway.add(element);
    const type = this.#structure(file, element);
    this.#underway.delete(element);
    this.items.push({ file: file.index, name, type });
    this.#positions.set(element, this.items.length - 1);
    return { kind: 'item', item: this.items.length - 1 };
  }

  #structure(file: DmnFile, element: XmlElement): Type {
    const item = constrain(this.#base(file, element), this.#tests(element, 'allowedValues'));
    const type: Type = element.attributes.get('isCollection') === 'true' ? { kind: 'list', element: item } : item;
    return constrain(type, this.#tests(element, 'typeConstraint'), true);
  }

  #base(file: DmnFile, element: XmlElement): Type {
    const components = childrenOf(element, 'itemComponent');
    if (components.length > 0) {
      return {
        kind: 'context',
        components: components.map((component) => ({
          name: component.attributes.get('name') ?? '',
          type: this.#structure(file, component),
        })),
      };
    }
    const functionItem = childOf(element, 'functionItem');
    if (functionItem !== undefined) return this.#function(file, functionItem);
    return this.typeOf(file, element) ?? ANY;
  }

  #function(file: DmnFile, element: XmlElement): Type {
    const parameters = childrenOf(element, 'parameters').map((parameter) => this.typeOf(file, parameter) ?? ANY);
    return { kind: 'function', parameters, result: this.typeOf(file, element, 'outputTypeRef') ?? ANY };
  }

  #tests(element: XmlElement, name: string): Expression | undefined {
    const tests = childOf(element, name);
    const text = tests && textOf(tests, 'text');
    return tests && text && this.#expressions.isFeel(tests)
      ? this.#expressions.read(tests, text, `list of ${name}`, undefined, 'unary-tests')
      : undefined;
  }
}

function constrain(base: Type, allowed: Expression | undefined, whole = false): Type {
  return allowed === undefined ? base : { kind: 'constrained', base, allowed, ...(whole && { whole }) };
}
