/** The work on DMN files that runs in a thread: a hostile file takes seconds, which the event loop cannot spare. */
import {
  answer,
  compileModel,
  InputError,
  LoadedModel,
  readContext,
  summarizeDecisions,
  type Compiled,
  type EvaluationResult,
  type Selection,
} from './index.js';
import { declaredAsUtf8 } from '@perdure/lib/model-files/declaration.js';
import type { DefinitionContent } from './definition-content.js';

export interface CompileWork {
  kind: 'compile';
  xml: string;
  imported: readonly string[];
}

export interface EvaluateWork {
  kind: 'evaluate';
  xml: string;
  imported: readonly string[];
  contexts: readonly Record<string, unknown>[];
  wanted: Selection;
  mode: 'strict' | 'lenient';
  /** Epoch milliseconds. */
  now: number;
}

export type Work = CompileWork | EvaluateWork;

export interface WorkDone {
  problems: Compiled['problems'];
  /** The reason why the file was refused. */
  refused?: 'TOO_LARGE' | 'MALFORMED';
  /** The part of the file that is stored. */
  content?: DefinitionContent;
  /** One per context, in their order. */
  evaluated?: Evaluated[];
}

export type Evaluated = { ok: true; results: Record<string, EvaluationResult> } | { ok: false; message: string };

/** The event loop reads compiled models back, so their size is limited. */
const MAX_MODEL_CHARACTERS = 16 * 1024 * 1024;

export function perform(work: Work): WorkDone {
  const compiled = compileModel(work.xml, work.imported);
  const { model, problems, refusal } = compiled;
  if (model === undefined) return { problems, refused: refusal?.reason ?? 'MALFORMED' };
  if (work.kind === 'evaluate') {
    const loaded = new LoadedModel(model);
    return { problems, evaluated: work.contexts.map((context) => evaluate(loaded, context, work)) };
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

/** Evaluates decisions with a caller's values. */
export function evaluate(
  model: LoadedModel,
  context: Record<string, unknown>,
  { wanted, mode, now }: Pick<EvaluateWork, 'wanted' | 'mode' | 'now'>,
): Evaluated {
  try {
    const evaluated = model.evaluate(readContext(context), wanted, { now, mode });
    if (evaluated.ok) return { ok: true, results: answer(evaluated.results) };
    return {
      ok: false,
      message: `The file has no decision or decision service named ${evaluated.unknown.map((name) => JSON.stringify(name)).join(', ')}`,
    };
  } catch (error) {
    if (error instanceof InputError) return { ok: false, message: error.message };
    throw error;
  }
}
