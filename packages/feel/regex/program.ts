/** Compiles a pattern to a program of a small machine, after Ken Thompson and Rob Pike. */
import { PatternError, type CodeTest, type Pattern } from './syntax.js';

export type Instruction =
  | { op: 'code'; test: CodeTest }
  /** Continues at both places; the first has priority. */
  | { op: 'split'; first: number; second: number }
  | { op: 'jump'; to: number }
  /** Stores the position in a slot; slots 2n and 2n + 1 hold start and end of group n. */
  | { op: 'save'; slot: number }
  | { op: 'start' }
  | { op: 'end' }
  | { op: 'reference'; group: number }
  | { op: 'match' };

const MAX_PROGRAM_LENGTH = 5000;

/** The program of a pattern. Slots 0 and 1 are the whole match. */
export function assemble(pattern: Pattern): Instruction[] {
  const program: Instruction[] = [];

  const emit = (instruction: Instruction): number => {
    if (program.length >= MAX_PROGRAM_LENGTH) throw new PatternError('the pattern is too large');
    return program.push(instruction) - 1;
  };

  const emitOptional = (part: Pattern, lazy: boolean): void => {
    const split = emit({ op: 'split', first: 0, second: 0 });
    emitPattern(part);
    program[split] = splitTo(split + 1, program.length, lazy);
  };

  const emitRepeat = ({ part, least, most, lazy }: Extract<Pattern, { kind: 'repeat' }>): void => {
    for (let count = 0; count < least; count++) emitPattern(part);
    if (most === Number.POSITIVE_INFINITY) {
      const split = emit({ op: 'split', first: 0, second: 0 });
      emitPattern(part);
      emit({ op: 'jump', to: split });
      program[split] = splitTo(split + 1, program.length, lazy);
      return;
    }
    for (let count = least; count < most; count++) emitOptional(part, lazy);
  };

  const emitChoice = (options: Pattern[]): void => {
    const jumps: number[] = [];
    options.forEach((option, index) => {
      if (index === options.length - 1) {
        emitPattern(option);
        return;
      }
      const split = emit({ op: 'split', first: 0, second: 0 });
      emitPattern(option);
      jumps.push(emit({ op: 'jump', to: 0 }));
      program[split] = { op: 'split', first: split + 1, second: program.length };
    });
    for (const jump of jumps) program[jump] = { op: 'jump', to: program.length };
  };

  const emitPattern = (part: Pattern): void => {
    switch (part.kind) {
      case 'code':
        emit({ op: 'code', test: part.test });
        break;
      case 'sequence':
        part.parts.forEach(emitPattern);
        break;
      case 'choice':
        emitChoice(part.options);
        break;
      case 'repeat':
        emitRepeat(part);
        break;
      case 'group':
        if (part.index !== undefined) emit({ op: 'save', slot: part.index * 2 });
        emitPattern(part.part);
        if (part.index !== undefined) emit({ op: 'save', slot: part.index * 2 + 1 });
        break;
      case 'start':
      case 'end':
        emit({ op: part.kind });
        break;
      case 'reference':
        emit({ op: 'reference', group: part.index });
        break;
    }
  };

  emit({ op: 'save', slot: 0 });
  emitPattern(pattern);
  emit({ op: 'save', slot: 1 });
  emit({ op: 'match' });
  return program;
}

function splitTo(body: number, behind: number, lazy: boolean): Instruction {
  return lazy ? { op: 'split', first: behind, second: body } : { op: 'split', first: body, second: behind };
}
