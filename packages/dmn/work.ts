/** The work on DMN files that runs in a thread: a hostile file takes seconds, which the event loop cannot spare. */
import {
  answer,
  compileModel,
  importedNamespaces,
  InputError,
  LoadedModel,
  ownNamespace,
  readContext,
  summarizeDecisions,
  type Compiled,
  type EvaluationResult,
  type Selection,
} from './index.js';
import { BoundedCache } from '@perdure/lib/bounded-cache.js';
import { declaredAsUtf8 } from '@perdure/lib/model-files/declaration.js';
import type { DefinitionContent } from './definition-content.js';
import type { ElementResult } from './evaluate/index.js';

interface CompileWork {
  kind: 'compile';
  xml: string;
  imported: readonly string[];
}

interface EvaluateWork {
  kind: 'evaluate';
  xml: string;
  imported: readonly string[];
  contexts: readonly Record<string, unknown>[];
  wanted: Selection;
  mode: 'strict' | 'lenient';
  /** Epoch milliseconds. */
  now: number;
  /** Names the content of the files, which never changes: the thread keeps the model for the next time. */
  key?: string;
}

/** Reads which namespace a file has, and which it imports. */
interface NamespacesWork {
  kind: 'namespaces';
  xml: string;
}

export type Work = CompileWork | EvaluateWork | NamespacesWork;

export interface Namespaces {
  /** The namespace that other files import the file by; undefined if the file cannot be read. */
  own: string | undefined;
  imported: string[];
}

export interface WorkDone {
  problems: Compiled['problems'];
  /** The reason why the file was refused. */
  refused?: 'TOO_LARGE' | 'MALFORMED';
  /** The part of the file that is stored. */
  content?: DefinitionContent;
  /** One per context, in their order. */
  evaluated?: Evaluated[];
  namespaces?: Namespaces;
}

export type Evaluated =
  /** `isSpent`: a result lacks what the limit of steps left undone. */
  { ok: true; results: Record<string, EvaluationResult>; isSpent: boolean } | { ok: false; message: string };

/** The event loop reads compiled models back, so their size is limited. */
const MAX_MODEL_CHARACTERS = 16 * 1024 * 1024;

/** Of the texts, in bytes; the contexts come from the same request. */
export function sizeOfWork(work: Work): number {
  const imported = work.kind === 'namespaces' ? [] : work.imported;
  return [work.xml, ...imported].reduce((sum, { length }) => sum + 2 * length, 0);
}

export function perform(work: Work): WorkDone {
  if (work.kind === 'namespaces')
    return { problems: [], namespaces: { own: ownNamespace(work.xml), imported: importedNamespaces(work.xml) } };
  const kept = work.kind === 'evaluate' && work.key !== undefined ? models.get(work.key) : undefined;
  if (kept !== undefined) return { problems: [], evaluated: evaluateAll(kept, work as EvaluateWork) };
  const compiled = compileModel(work.xml, work.imported);
  const { model, problems, refusal } = compiled;
  if (model === undefined) return { problems, refused: refusal?.reason ?? 'MALFORMED' };
  if (work.kind === 'evaluate') {
    const loaded = new LoadedModel(model);
    if (work.key !== undefined) models.set(work.key, loaded);
    return { problems, evaluated: evaluateAll(loaded, work) };
  }
  const text = JSON.stringify(model);
  if (text.length > MAX_MODEL_CHARACTERS) {
    return {
      problems: [{ severity: 'error', message: 'The compiled model is too large. Split the file.' }],
      refused: 'TOO_LARGE',
    };
  }
  const [file] = model.files;
  return {
    problems,
    content: {
      definitionsID: file!.id,
      namespace: file!.namespace,
      xml: declaredAsUtf8(work.xml),
      imported: work.imported,
      model: text,
      decisions: summarizeDecisions(model),
    },
  };
}

/** Few, because each can take hundreds of times its text. */
const models = new BoundedCache<string, LoadedModel>({ entries: 5 });

function evaluateAll(model: LoadedModel, work: EvaluateWork): Evaluated[] {
  return work.contexts.map((context) => evaluate(model, context, work));
}

/**
 * Evaluates decisions with a caller's values.
 * @param maxSteps a lower limit than that of every evaluation
 */
export function evaluate(
  model: LoadedModel,
  context: Record<string, unknown>,
  { wanted, mode, now }: Pick<EvaluateWork, 'wanted' | 'mode' | 'now'>,
  maxSteps?: number,
): Evaluated {
  try {
    const budget = maxSteps === undefined ? {} : { budget: { steps: maxSteps } };
    const evaluated = model.evaluate(readContext(context), wanted, { now, mode, ...budget });
    if (evaluated.ok) {
      const isSpent = isOverBudget([...evaluated.results.values()]);
      return { ok: true, results: answer(evaluated.results), isSpent };
    }
    return {
      ok: false,
      message: `The file has no decision or decision service named ${evaluated.unknown.map((name) => JSON.stringify(name)).join(', ')}`,
    };
  } catch (error) {
    if (error instanceof InputError) return { ok: false, message: error.message };
    throw error;
  }
}

/** Whether one of the results, or one that they required, lacks what a limit left undone. */
function isOverBudget(results: readonly ElementResult[]): boolean {
  // Many results can require the same one.
  const all = new Set(results);
  for (const { error, requires } of all) {
    if (error?.code === 'BUDGET') return true;
    for (const required of requires) all.add(required);
  }
  return false;
}
