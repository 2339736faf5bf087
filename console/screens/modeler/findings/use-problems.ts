import { useEffect, useRef, useState } from 'react';
import type { FileKind } from '../../../features/modeler/files/kinds.js';
import { createChecker, type Checker, type CheckResult } from '../../../features/modeler/thread/checker.js';
import { startThread } from '../../../features/modeler/thread/start-thread.js';

/** Edits in quick succession are checked once. */
const CHECK_AFTER_MS = 300;

/**
 * The findings of the compiler in a text. During a check, those in the previous text.
 * @param imported undefined until they are loaded
 */
export function useProblems(
  kind: FileKind,
  text: string,
  imported: readonly string[] | undefined,
): CheckResult | undefined {
  const [result, setResult] = useState<CheckResult>();
  const checker = useRef<Checker>(undefined);
  useEffect(() => {
    const created = createChecker(startThread, setResult);
    checker.current = created;
    return () => created.close();
  }, []);
  useEffect(() => {
    if (imported === undefined) return;
    const timer = setTimeout(() => checker.current?.check({ kind, text, imported }), CHECK_AFTER_MS);
    return () => clearTimeout(timer);
  }, [kind, text, imported]);
  return result;
}
