/** XPath regular expressions (flags s, m, i, x) in linear time. The host's own engine can take exponential time. */
import { remember } from '../memo.js';
import type { Machine } from './match.js';
import { parsePattern } from './parse.js';
import { assemble } from './program.js';
import { PatternError } from './syntax.js';

export { findMatch, type Machine, type Slots } from './match.js';
export { PatternError } from './syntax.js';

const MAX_PATTERN_LENGTH = 1000;

/** The machine of a pattern, or why the pattern is invalid. */
export function machineOf(pattern: string, flags: string): Machine | PatternError {
  if (pattern.length > MAX_PATTERN_LENGTH)
    return new PatternError(`the pattern is longer than ${MAX_PATTERN_LENGTH} characters`);
  if (/[^smix]/.test(flags)) return new PatternError('the flags may only be s, m, i and x');
  return remember('pattern', `${flags}/${pattern}`, () => buildMachine(pattern, flags));
}

function buildMachine(source: string, flags: string): Machine | PatternError {
  const ignoreCase = flags.includes('i');
  const multiline = flags.includes('m');
  try {
    const { pattern, groups, hasReferences } = parsePattern(
      source,
      { dotAll: flags.includes('s'), multiline, ignoreCase },
      flags.includes('x'),
    );
    return { program: assemble(pattern), slotCount: (groups + 1) * 2, multiline, ignoreCase, hasReferences };
  } catch (error) {
    if (error instanceof PatternError) return error;
    throw error;
  }
}
