import { statSync } from 'node:fs';

const OTHERS = 0o077;

/** Whether the file belongs to the user and no other account can read it. */
export function isPrivate(file: string): boolean {
  // Windows has neither owners nor modes of this kind.
  if (process.getuid === undefined) return true;
  const { uid, mode } = statSync(file);
  return uid === process.getuid() && (mode & OTHERS) === 0;
}
