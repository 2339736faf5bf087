import { useEffect, useRef, useState } from 'react';
import { createChecker, type Checker, type CheckResult } from '../../features/modeler/thread/checker.js';
import { startThread } from '../../features/modeler/thread/start-thread.js';

/** Edits in quick succession are checked once. */
const CHECK_AFTER_MS = 300;

/** The problems that the compiler finds in a text. During a check, those of the previous text. */
export function useProblems(text: string): CheckResult | undefined {
  const [result, setResult] = useState<CheckResult>();
  const checker = useRef<Checker>(undefined);
  useEffect(() => {
    const created = createChecker(startThread, setResult);
    checker.current = created;
    return () => created.close();
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => checker.current?.check(text), CHECK_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return result;
}
