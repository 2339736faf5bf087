/** Reads the JSON file that `OIDC_CONFIG` names. */
import { readFileSync } from 'node:fs';
import { accessFile, type AccessSettings } from './issuer-settings.js';

export interface FileReading {
  readonly settings: AccessSettings | undefined;
  readonly problems: readonly string[];
}

export function readAccessFile(path: string): FileReading {
  const file = `OIDC_CONFIG (${path})`;
  try {
    const result = accessFile.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    if (result.success) return { settings: result.data, problems: [] };
    const problems = result.error.issues.map(
      (issue) => `${file} is invalid at ${issue.path.join('.') || 'the top level'}: ${issue.message}`,
    );
    return { settings: undefined, problems };
  } catch (error) {
    const problem = `OIDC_CONFIG must be the path of a JSON file, but ${JSON.stringify(path)} cannot be read: ${(error as Error).message}`;
    return { settings: undefined, problems: [problem] };
  }
}
