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
  const assembler = new Assembler();
  assembler.emit({ op: 'save', slot: 0 });
  assembler.pattern(pattern);
  assembler.emit({ op: 'save', slot: 1 });
  assembler.emit({ op: 'match' });
  return assembler.program;
}

class Assembler {
  readonly program: Instruction[] = [];

  /** @returns the position of the instruction */
  emit(instruction: Instruction): number {
    if (this.program.length >= MAX_PROGRAM_LENGTH) throw new PatternError('the pattern is too large');
    return this.program.push(instruction) - 1;
  }

  pattern(part: Pattern): void {
    switch (part.kind) {
      case 'code':
        this.emit({ op: 'code', test: part.test });
        break;
      case 'sequence':
        for (const each of part.parts) this.pattern(each);
        break;
      case 'choice':
        this.#choice(part.options);
        break;
      case 'repeat':
        this.#repeat(part);
        break;
      case 'group':
        if (part.index !== undefined) this.emit({ op: 'save', slot: part.index * 2 });
        this.pattern(part.part);
        if (part.index !== undefined) this.emit({ op: 'save', slot: part.index * 2 + 1 });
        break;
      case 'start':
      case 'end':
        this.emit({ op: part.kind });
        break;
      case 'reference':
        this.emit({ op: 'reference', group: part.index });
        break;
    }
  }

  #repeat({ part, least, most, lazy }: Extract<Pattern, { kind: 'repeat' }>): void {
    for (let count = 0; count < least; count++) this.pattern(part);
    if (most === Number.POSITIVE_INFINITY) {
      const split = this.emit({ op: 'split', first: 0, second: 0 });
      this.pattern(part);
      this.emit({ op: 'jump', to: split });
      this.program[split] = splitTo(split + 1, this.program.length, lazy);
      return;
    }
    for (let count = least; count < most; count++) this.#optional(part, lazy);
  }

  #optional(part: Pattern, lazy: boolean): void {
    const split = this.emit({ op: 'split', first: 0, second: 0 });
    this.pattern(part);
    this.program[split] = splitTo(split + 1, this.program.length, lazy);
  }

  #choice(options: Pattern[]): void {
    const jumps: number[] = [];
    options.forEach((option, index) => {
      if (index === options.length - 1) {
        this.pattern(option);
        return;
      }
      const split = this.emit({ op: 'split', first: 0, second: 0 });
      this.pattern(option);
      jumps.push(this.emit({ op: 'jump', to: 0 }));
      this.program[split] = { op: 'split', first: split + 1, second: this.program.length };
    });
    for (const jump of jumps) this.program[jump] = { op: 'jump', to: this.program.length };
  }
}

function splitTo(body: number, behind: number, lazy: boolean): Instruction {
  return lazy ? { op: 'split', first: behind, second: body } : { op: 'split', first: body, second: behind };
}
