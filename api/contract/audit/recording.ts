/** The audit entry of an operation. */
import type { Json } from '@perdure/engine/contract/json.js';
import type { UnrecordedOperation } from './unrecorded.js';

/**
 * Content of an entry in addition to the actor, the reason, and the ids in the path. Never the value of a variable, a
 * comment, a business id, or a secret.
 */
export interface EntryContent {
  /** Of variables or settings that were set, or of variables that were redacted. */
  readonly names?: readonly string[] | undefined;
  readonly details?: Readonly<Record<string, Json | undefined>> | undefined;
}

export interface Recording<Params, Query, Body> {
  /**
   * Where the entry is written. `around`: the pipeline runs the handler in one transaction and writes the entry in it.
   * `within`: the handler works before or after the transaction of its change, so it passes `audit` to the store, or runs
   * the change in one of the functions of `api/audit/recording.ts`.
   */
  readonly entry: 'around' | 'within';
  /** Reads the request alone. A handler adds created ids and replaced values in `audit` of its result. */
  readonly says: (request: { readonly params: Params; readonly query: Query; readonly body: Body }) => EntryContent;
}

/** Only reads and the listed operations can leave the recording out, so no other operation compiles without one. */
export type Recorded<Params, Query, Body> =
  | { readonly method: 'GET'; readonly records?: undefined }
  | { readonly operationID: UnrecordedOperation; readonly records?: undefined }
  | { readonly records: Recording<Params, Query, Body> };

/** For a request whose path and reason are everything that it says. */
export function onlyItsPath(): EntryContent {
  return {};
}

/** The names in `variables` of the body. */
export function variableNames({
  body,
}: {
  readonly body: { readonly variables?: object | undefined } | undefined;
}): Pick<EntryContent, 'names'> {
  return { names: Object.keys(body?.variables ?? {}) };
}
