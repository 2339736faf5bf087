/** The decisions of a test's DMN files, evaluated as in the host. */
import type { DecisionEvaluation } from '@perdure/engine/contract/commands.js';
import type { DecisionRequest } from '@perdure/engine/decisions.js';
import { callDecision, compileModel, importedNamespaces, LoadedModel } from '@perdure/dmn';
import { byteLength, MAX_VARIABLES_BYTES } from '@perdure/engine/behaviors/lifecycle/size.js';
import { ModelRefused } from './model-refused.js';

interface DecisionFile {
  name: string;
  model: LoadedModel;
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
      this.#files.push({ name, model: new LoadedModel(model) });
    }
  }

  /** The result of the decision for a business rule task. */
  evaluate({ decisionID, variables }: DecisionRequest, now: number): DecisionEvaluation['outcome'] {
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
    if (!called.ok) return failed(called.code, called.message);
    const bytes = byteLength(called.value);
    if (bytes > MAX_VARIABLES_BYTES)
      return failed('BUDGET', `the result takes ${bytes} bytes, but the limit is ${MAX_VARIABLES_BYTES}`);
    return { status: 'EVALUATED', value: called.value, definitionID: file.name, version: 1 };
  }
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
