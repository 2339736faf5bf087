/** Parses a pattern. Throws a `PatternError`. */
import { classEscape, ignoringCase, property } from './classes.js';
import { PatternError, type CodeTest, type Flags, type Pattern } from './syntax.js';

interface ParsedPattern {
  pattern: Pattern;
  groups: number;
  hasReferences: boolean;
}

/** Characters that a backslash makes literal. */
const ESCAPABLE = new Set('\\|.-^?*+{}()[]$'.split(''));
const CONTROLS: Record<string, number> = { n: 10, r: 13, t: 9 };
const MAX_REPETITIONS = 1000;
const DEEPEST = 100;

export function parsePattern(source: string, flags: Flags, isFreeSpacing: boolean): ParsedPattern {
  const parser = new PatternParser(isFreeSpacing ? withoutSpaces(source) : source, flags);
  return parser.parse();
}

/** Flag `x`: white space counts only inside character classes. */
function withoutSpaces(source: string): string {
  let depth = 0;
  let result = '';
  for (let index = 0; index < source.length; index++) {
    const sign = source[index] as string;
    if (sign === '\\' && depth > 0) {
      result += sign + (source[++index] ?? '');
      continue;
    }
    if (sign === '[' && source[index - 1] !== '\\') depth += 1;
    if (sign === ']' && depth > 0) depth -= 1;
    if (depth > 0 || !/[\t\n\r ]/.test(sign)) result += sign;
  }
  return result;
}

class PatternParser {
  private readonly characters: string[];
  private position = 0;
  private groups = 0;
  private hasReferences = false;
  private depth = 0;
  /** Closed groups, which a reference may name. */
  private readonly closed = new Set<number>();

  constructor(
    source: string,
    private readonly flags: Flags,
  ) {
    this.characters = Array.from(source);
  }

  parse(): ParsedPattern {
    const pattern = this.choice();
    if (this.position < this.characters.length) throw new PatternError('a ")" has no "(" before it');
    return { pattern, groups: this.groups, hasReferences: this.hasReferences };
  }

  private peek(): string | undefined {
    return this.characters[this.position];
  }

  private take(): string | undefined {
    return this.characters[this.position++];
  }

  private accept(sign: string): boolean {
    if (this.peek() !== sign) return false;
    this.position += 1;
    return true;
  }

  private choice(): Pattern {
    this.depth += 1;
    if (this.depth > DEEPEST) throw new PatternError('the pattern is nested too deeply');
    const options = [this.sequence()];
    while (this.accept('|')) options.push(this.sequence());
    this.depth -= 1;
    return options.length === 1 ? (options[0] as Pattern) : { kind: 'choice', options };
  }

  private sequence(): Pattern {
    const parts: Pattern[] = [];
    for (let next = this.peek(); next !== undefined && next !== '|' && next !== ')'; next = this.peek())
      parts.push(this.repeated());
    return { kind: 'sequence', parts };
  }

  private repeated(): Pattern {
    const part = this.atom();
    const sign = this.peek();
    const limits = sign === '{' ? this.counts() : sign === undefined ? undefined : this.shortCounts(sign);
    if (limits === undefined) return part;
    const lazy = this.accept('?');
    if (['*', '+', '{', '?'].includes(this.peek() ?? ''))
      throw new PatternError('a repetition follows another repetition');
    return { kind: 'repeat', part, least: limits[0], most: limits[1], lazy };
  }

  private shortCounts(sign: string): [least: number, most: number] | undefined {
    const limits =
      sign === '*'
        ? ([0, Number.POSITIVE_INFINITY] as const)
        : sign === '+'
          ? ([1, Number.POSITIVE_INFINITY] as const)
          : sign === '?'
            ? ([0, 1] as const)
            : undefined;
    if (limits === undefined) return undefined;
    this.position += 1;
    return [...limits];
  }

  private counts(): [least: number, most: number] {
    const text = this.characters.slice(this.position, this.position + 16).join('');
    const match = /^\{(\d{1,5})(,(\d{1,5})?)?\}/.exec(text);
    if (match === null) throw new PatternError('a "{" does not start a repetition');
    this.position += match[0].length;
    const least = Number(match[1]);
    const most = match[2] === undefined ? least : match[3] === undefined ? Number.POSITIVE_INFINITY : Number(match[3]);
    if (most < least) throw new PatternError('the limits of a repetition are in the wrong order');
    if (least > MAX_REPETITIONS || (most > MAX_REPETITIONS && most !== Number.POSITIVE_INFINITY))
      throw new PatternError(`a repetition exceeds the limit of ${MAX_REPETITIONS}`);
    return [least, most];
  }

  private atom(): Pattern {
    const sign = this.take() as string;
    switch (sign) {
      case '(':
        return this.group();
      case '[':
        return { kind: 'code', test: this.characterClass() };
      case '.':
        return { kind: 'code', test: this.flags.dotAll ? () => true : (code) => code !== 10 && code !== 13 };
      case '^':
        return { kind: 'start' };
      case '$':
        return { kind: 'end' };
      case '\\':
        return this.escape();
      case '*':
      case '+':
      case '?':
      case '{':
        throw new PatternError(`a "${sign}" has nothing to repeat`);
      default:
        return this.literal(sign.codePointAt(0) as number);
    }
  }

  private literal(expected: number): Pattern {
    const test: CodeTest = (code) => code === expected;
    return { kind: 'code', test: this.flags.ignoreCase ? ignoringCase(test) : test };
  }

  private group(): Pattern {
    let index: number | undefined;
    if (this.accept('?')) {
      if (!this.accept(':')) throw new PatternError('only "(?:" is supported after "(?"');
    } else {
      index = ++this.groups;
    }
    const part = this.choice();
    if (!this.accept(')')) throw new PatternError('a "(" has no matching ")"');
    if (index !== undefined) this.closed.add(index);
    return { kind: 'group', part, index };
  }

  private escape(): Pattern {
    const letter = this.peek();
    if (letter !== undefined && /[1-9]/.test(letter)) return this.reference();
    const test = this.classEscape();
    return test === undefined ? this.literal(this.characterEscape()) : { kind: 'code', test };
  }

  /** As many digits as are needed to name a group. */
  private reference(): Pattern {
    let index = Number(this.take());
    while (/^\d$/.test(this.peek() ?? '') && this.closed.has(index * 10 + Number(this.peek())))
      index = index * 10 + Number(this.take());
    if (!this.closed.has(index)) throw new PatternError('it refers to a group that does not end before the reference');
    this.hasReferences = true;
    return { kind: 'reference', index };
  }

  /** `\d`, `\p{L}` and so on, after the backslash; `undefined` if it is none of them. */
  private classEscape(): CodeTest | undefined {
    const letter = this.peek() ?? '';
    if (letter === 'p' || letter === 'P') {
      this.position += 1;
      const end = this.characters.indexOf('}', this.position);
      if (!this.accept('{') || end < 0) throw new PatternError('"\\p" needs a name in braces');
      const name = this.characters.slice(this.position, end).join('');
      this.position = end + 1;
      return property(name, letter === 'P');
    }
    const test = classEscape(letter);
    if (test !== undefined) this.position += 1;
    return test;
  }

  private characterEscape(): number {
    const letter = this.take();
    if (letter === undefined) throw new PatternError('it ends with a single backslash');
    if (Object.hasOwn(CONTROLS, letter)) return CONTROLS[letter] as number;
    if (!ESCAPABLE.has(letter)) throw new PatternError('a backslash precedes a letter without a special meaning');
    return letter.codePointAt(0) as number;
  }

  /** After the opening bracket: `[^a-z-[aeiou]]`. */
  private characterClass(): CodeTest {
    this.depth += 1;
    if (this.depth > DEEPEST) throw new PatternError('the pattern is nested too deeply');
    const negated = this.accept('^');
    const tests: CodeTest[] = [];
    let without: CodeTest | undefined;
    for (;;) {
      const next = this.peek();
      if (next === undefined) throw new PatternError('a "[" has no matching "]"');
      if (next === ']' && tests.length > 0) break;
      if (next === '-' && this.characters[this.position + 1] === '[') {
        this.position += 2;
        without = this.characterClass();
        break;
      }
      tests.push(this.classPart());
    }
    if (!this.accept(']')) throw new PatternError('a "[" has no matching "]"');
    this.depth -= 1;
    const any: CodeTest = tests.length === 1 ? (tests[0] as CodeTest) : (code) => tests.some((test) => test(code));
    const inside = this.flags.ignoreCase ? ignoringCase(any) : any;
    const excluded = without;
    return (code) => inside(code) !== negated && (excluded === undefined || !excluded(code));
  }

  private classPart(): CodeTest {
    if (this.peek() === '\\') {
      this.position += 1;
      const test = this.classEscape();
      if (test !== undefined) return test;
      this.position -= 1;
    }
    const first = this.classCharacter();
    const isRange =
      this.peek() === '-' && this.characters[this.position + 1] !== ']' && this.characters[this.position + 1] !== '[';
    if (!isRange) return (code) => code === first;
    this.position += 1;
    const last = this.classCharacter();
    if (last < first) throw new PatternError('the ends of a character range are in the wrong order');
    return (code) => code >= first && code <= last;
  }

  private classCharacter(): number {
    const sign = this.take();
    if (sign === undefined) throw new PatternError('a "[" has no matching "]"');
    if (sign === '[') throw new PatternError('a "[" inside a character class needs a backslash');
    return sign === '\\' ? this.characterEscape() : (sign.codePointAt(0) as number);
  }
}
