/** Findings of a conversion. */

/**
 * `converted`: the meaning is the same. `review`: it was converted, but its meaning differs in a way that may matter.
 * `unsupported`: it has no equivalent; the message says what to do instead.
 */
export type Outcome = 'converted' | 'review' | 'unsupported';

export interface Finding {
  outcome: Outcome;
  /** The id of the BPMN element; absent if it has none. */
  elementID?: string;
  /** In the file that was converted, from 1. */
  line: number;
  message: string;
}

/** Maximum findings of one file; `Report.unlisted` counts the rest. */
const MAX_FINDINGS = 1000;

/** Bounds a message that quotes text of the file. */
const MAX_QUOTED = 120;

export class Report {
  readonly findings: Finding[] = [];
  unlisted = 0;

  add(finding: Finding): void {
    if (this.findings.length < MAX_FINDINGS) this.findings.push(finding);
    else this.unlisted += 1;
  }
}

/** `text` in quotation marks, shortened. */
export function quoted(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return JSON.stringify(line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line);
}
