/** The work of a thread for an import. It gets and returns bytes: values would cost the event loop as much as reading them. */
import { modelOf, type Model } from '@perdure/engine/model/model.js';
import type { Graph } from '@perdure/engine/model/graph.js';
import { BoundedCache } from '@perdure/lib/bounded-cache.js';
import { textOf } from '@perdure/lib/storable-json.js';
import { draftImport, type DraftContext, type Version } from './draft.js';
import { outlineImport, type GivenRequest } from './outline.js';

type Bytes = Uint8Array<ArrayBuffer>;

/** `outline` checks a body; `draft` takes what it has checked. */
export type ImportWork =
  | { readonly kind: 'outline'; readonly bytes: Bytes }
  | {
      readonly kind: 'draft';
      readonly bytes: Bytes;
      readonly context: DraftContext;
      readonly versions: readonly KnownVersion[];
      /** JSON texts by content address. */
      readonly graphs: readonly (readonly [sha256: string, text: Bytes])[];
    };

export interface KnownVersion {
  /** As the import asks for it. */
  readonly key: string;
  readonly definitionID: string;
  readonly processID: string;
  readonly graphSha256: string;
}

export interface ImportWorkDone {
  /** The result as JSON. */
  readonly json: Bytes;
  /** Of an outline: the checked body. Of a draft: the instances, callers first. */
  readonly parts: readonly Bytes[];
}

/** Versions that a thread keeps between imports: most imports of a move are of the same few. */
export type KnownModels = BoundedCache<string, Model>;

export function newModels(): KnownModels {
  return new BoundedCache({ entries: 10 });
}

export function performImportWork(work: ImportWork, models: KnownModels): ImportWorkDone {
  if (work.kind === 'outline') {
    const { given, ...outlined } = outlineImport(work.bytes);
    return { json: encoded(outlined), parts: given ? [encoded(given)] : [] };
  }
  const given = JSON.parse(textOf(work.bytes)) as GivenRequest;
  const { issues, warnings, instances } = draftImport(given, versionsOf(work, models), work.context);
  return { json: encoded({ issues, warnings }), parts: issues.length > 0 ? [] : instances };
}

function versionsOf({ versions, graphs }: ImportWork & { kind: 'draft' }, models: KnownModels): Map<string, Version> {
  const texts = new Map(graphs);
  const ofImport = new Map<string, Model>();
  const modelWith = (sha256: string): Model => {
    const known = ofImport.get(sha256) ?? models.get(sha256);
    const model = known ?? modelOf(JSON.parse(textOf(texts.get(sha256)!)) as Graph);
    ofImport.set(sha256, model);
    models.set(sha256, model);
    return model;
  };
  return new Map(
    versions.map(({ key, definitionID, graphSha256 }) => [key, { definitionID, model: modelWith(graphSha256) }]),
  );
}

function encoded(value: unknown): Bytes {
  return new TextEncoder().encode(JSON.stringify(value));
}
