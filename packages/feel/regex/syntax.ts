/** The syntax of XPath regular expressions (XML Schema part 2 appendix F, XPath functions 3.1 section 5.6.1) as a tree. */

export interface Flags {
  /** `.` also matches line ends. */
  dotAll: boolean;
  /** `^` and `$` also match at line ends. */
  multiline: boolean;
  ignoreCase: boolean;
}

/** Whether a code point belongs to a class. */
export type CodeTest = (code: number) => boolean;

export type Pattern =
  | { kind: 'code'; test: CodeTest }
  | { kind: 'sequence'; parts: Pattern[] }
  | { kind: 'choice'; options: Pattern[] }
  | { kind: 'repeat'; part: Pattern; least: number; most: number; lazy: boolean }
  | { kind: 'group'; part: Pattern; index: number | undefined }
  | { kind: 'start' }
  | { kind: 'end' }
  | { kind: 'reference'; index: number };

/** An invalid pattern, with the reason. */
export class PatternError {
  constructor(readonly message: string) {}
}
