/** The files of a play. */
import type { NeededProcess } from '@perdure/testkit/browser';

/** Of a play. */
export interface PlayFile {
  /** Ends with `.bpmn` or `.dmn`. */
  name: string;
  text: string;
  /** The version in it; undefined for a file that is not deployed. */
  definitionID?: string | undefined;
}

/** The content that a play asks for. */
export type Wanted = { kind: 'decision'; id: string } | WantedProcess;

export interface WantedProcess {
  kind: 'process';
  id: string;
  binding: NeededProcess['binding'];
  /** The version with the call activity; undefined for a file that is not deployed. */
  callerID: string | undefined;
}
