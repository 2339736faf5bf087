/** The decisions of a test's DMN files, evaluated as in the host. */
import type { DecisionEvaluation } from '@perdure/engine/contract/commands.js';
import type { DecisionRequest } from '@perdure/engine/decisions.js';
import { callDecision, compileModel, importedNamespaces, LoadedModel } from '@perdure/dmn';
import { byteLength, MAX_VARIABLES_BYTES } from '@perdure/engine/behaviors/lifecycle/size.js';
import type { CompiledModel, TableLogic } from '@perdure/dmn/model.js';
import { ModelRefused } from './model-refused.js';

interface DecisionFile {
  name: string;
  model: LoadedModel;
}

/** A rule of a decision table. */
export interface DecisionRule {
  file: string;
  id: string;
}

export class Decisions {
  readonly #files: DecisionFile[] = [];

  /** @throws ModelRefused with every problem of the first file that has an error */
  constructor(files: readonly { name: string; xml: string }[]) {
    const namespaces = new Map(files.map(({ xml }) => [namespaceOf(xml), xml]));
    for (const { name, xml } of files) {
      const { model, problems } = compileModel(xml, importsOf(xml, namespaces));
      if (model === undefined || problems.some(({ severity }) => severity === 'error'))
        throw new ModelRefused(name, problems);
      nameRules(model);
      this.#files.push({ name, model: new LoadedModel(model) });
    }
  }

  get models(): readonly CompiledModel[] {
    return this.#files.map(({ model }) => model.model);
  }

  /** The rules of all decision tables. */
  rules(): DecisionRule[] {
    return this.#files.flatMap(({ name, model }) =>
      model.model.elements
        .filter(({ file }) => file === 0)
        .flatMap(tablesIn)
        .flatMap(({ rules }) => rules.map(({ id }) => ({ file: name, id: id! }))),
    );
  }

  /** The ids of the files, which a host refuses twice. */
  bundled(): { name: string; definitionsID: string }[] {
    return this.#files.map(({ name, model }) => ({ name, definitionsID: model.model.files[0]!.id }));
  }

  /**
   * The result of the decision for a business rule task.
   * @param onHits receives the ids of the rules that matched
   */
  evaluate(
    { decisionID, variables }: DecisionRequest,
    now: number,
    onHits?: (ruleIDs: readonly string[]) => void,
  ): DecisionEvaluation['outcome'] {
    const file = this.#files.find(({ model }) =>
      model.model.elements.some(({ id, file: index }) => id === decisionID && index === 0),
    );
    if (file === undefined)
      return {
        status: 'FAILED',
        errorType: 'DecisionNotFound',
        message: `None of the test's files contains the decision ${JSON.stringify(decisionID)}`,
      };
    const called = callDecision(file.model, decisionID, variables, now);
    const failed = (errorCode: string, message: string): DecisionEvaluation['outcome'] => ({
      status: 'FAILED',
      errorType: 'FeelError',
      errorCode,
      message: `Decision ${JSON.stringify(decisionID)}: ${message}`,
    });
    onHits?.(called.hitRules);
    if (!called.ok) return failed(called.code, called.message);
    const bytes = byteLength(called.value);
    if (bytes > MAX_VARIABLES_BYTES)
      return failed('BUDGET', `the result takes ${bytes} bytes, but the limit is ${MAX_VARIABLES_BYTES}`);
    return { status: 'EVALUATED', value: called.value, definitionID: file.name, version: 1 };
  }
}

/** Names rules without an id by their place, so that coverage can tell them apart. */
function nameRules({ elements }: CompiledModel): void {
  for (const element of elements)
    for (const [table, { rules }] of tablesIn(element).entries())
      for (const [index, rule] of rules.entries())
        rule.id ??= `${element.id}${table === 0 ? '' : ` table ${table + 1}`} rule ${index + 1}`;
}

/** Tables are decisions, and parts of other expressions. */
function tablesIn(value: unknown): TableLogic[] {
  if (typeof value !== 'object' || value === null) return [];
  if ((value as { kind?: unknown }).kind === 'table') return [value as TableLogic];
  return Object.values(value).flatMap(tablesIn);
}

function namespaceOf(xml: string): string | undefined {
  return compileModel(xml).model?.files[0]?.namespace;
}

/** The files that `xml` imports, directly or indirectly. */
function importsOf(xml: string, files: ReadonlyMap<string | undefined, string>): string[] {
  const imported = new Set<string>();
  const follow = (text: string): void => {
    for (const namespace of importedNamespaces(text)) {
      const file = files.get(namespace);
      if (file === undefined || file === xml || imported.has(file)) continue;
      imported.add(file);
      follow(file);
    }
  };
  follow(xml);
  return [...imported];
}
