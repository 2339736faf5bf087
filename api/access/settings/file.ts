/** Reads the JSON file that `OIDC_CONFIG` names. */
import { readFileSync } from 'node:fs';
import { accessFile, type AccessSettings } from './issuer-settings.js';

export interface FileReading {
  readonly settings: AccessSettings | undefined;
  readonly problems: readonly string[];
  /** One sentence per deprecated setting. */
  readonly warnings: readonly string[];
}

export function readAccessFile(path: string): FileReading {
  const file = `OIDC_CONFIG (${path})`;
  try {
    const { content, warnings } = withCurrentSettings(JSON.parse(readFileSync(path, 'utf8')), file);
    const result = accessFile.safeParse(content);
    if (result.success) return { settings: result.data, problems: [], warnings };
    const problems = result.error.issues.map(
      (issue) => `${file} is invalid at ${issue.path.join('.') || 'the top level'}: ${issue.message}`,
    );
    return { settings: undefined, problems, warnings };
  } catch (error) {
    const problem = `OIDC_CONFIG must be the path of a JSON file, but ${JSON.stringify(path)} cannot be read: ${(error as Error).message}`;
    return { settings: undefined, problems: [problem], warnings: [] };
  }
}

/** The former spelling is accepted for one release. If an issuer has both, the current one wins. */
function withCurrentSettings(content: unknown, file: string): { content: unknown; warnings: string[] } {
  const warnings: string[] = [];
  if (!isRecord(content) || !Array.isArray(content['issuers'])) return { content, warnings };
  const issuers = content['issuers'].map((issuer: unknown, index) => {
    if (!isRecord(issuer) || !('organisationAdminRole' in issuer)) return issuer;
    const { organisationAdminRole, ...others } = issuer;
    warnings.push(
      `organisationAdminRole in ${file} at issuers.${index} is deprecated. Use organizationAdminRole instead.`,
    );
    return { organizationAdminRole: organisationAdminRole, ...others };
  });
  return { content: { ...content, issuers }, warnings };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
