/** A file of a play. */
export interface PlayFile {
  /** Ends with `.bpmn` or `.dmn`. */
  name: string;
  text: string;
}

/** The content that a play asks for. */
export type FileKind = 'process' | 'decision';
