/** form-js without a browser: it renders nothing, and its own rules decide about values. */
import { createRequire } from 'node:module';

export interface Field {
  readonly id: string;
  readonly disabled?: boolean;
  readonly conditional?: { readonly hide: string };
}

interface Validator {
  validateFieldInstance(
    instance: { id: string; expressionContextInfo: Record<string, unknown> },
    value: unknown,
  ): string[];
}

interface ConditionChecker {
  check(condition: string, data: Record<string, unknown>): boolean | null;
}

interface FormJs {
  importSchema(schema: unknown): Promise<unknown>;
  get(service: 'validator'): Validator;
  get(service: 'conditionChecker'): ConditionChecker;
}

/** Stands for everything of the document that form-js touches when it is loaded. */
const anything: object = new Proxy(function () {}, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => '' : name === 'then' ? undefined : anything),
  apply: () => anything,
  construct: () => anything,
});

/** Without the document, form-js can neither be loaded nor create its container. */
function withDocument<Result>(work: () => Result): Result {
  const global = globalThis as Record<string, unknown>;
  Object.assign(global, { document: anything, KeyboardEvent: anything });
  try {
    return work();
  } finally {
    delete global['document'];
    delete global['KeyboardEvent'];
  }
}

const { Form } = withDocument(
  () => createRequire(import.meta.url)('@bpmn-io/form-js-viewer') as { Form: new () => FormJs },
);

/** The ids of the fields of a form whose values form-js refuses. It creates fields only when it renders them. */
export async function refusedByFormJs(
  schema: unknown,
  fields: readonly Field[],
  data: Record<string, unknown>,
  valueOf: (field: Field) => unknown,
): Promise<string[]> {
  const form = withDocument(() => new Form());
  await form.importSchema(structuredClone(schema));
  const context = { data, this: data, parent: null, i: [] };
  return fields
    .filter(({ disabled, conditional }) => {
      if (disabled) return false;
      return !conditional || form.get('conditionChecker').check(conditional.hide, data) !== true;
    })
    .filter(
      (field) =>
        form.get('validator').validateFieldInstance({ id: field.id, expressionContextInfo: context }, valueOf(field))
          .length > 0,
    )
    .map(({ id }) => id);
}
