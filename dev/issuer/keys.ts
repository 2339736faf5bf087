import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { exportJWK, generateKeyPair, type JWK } from 'jose';

/** The signing key for tokens, generated once and kept, so that tokens and cached key sets survive a restart. */
export async function loadSigningKey(file: string): Promise<JWK> {
  if (!existsSync(file)) {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const key = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: `development-${Date.now()}` };
    writeFileSync(file, JSON.stringify(key, null, 2), { mode: 0o600 });
  }
  return JSON.parse(readFileSync(file, 'utf8')) as JWK;
}
