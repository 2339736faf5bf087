/**
 * Runs a program over a text. It follows all paths through the program at once, character by character (Pike's
 * algorithm), so time is proportional to program times text. Back-references do not allow this: programs with them are
 * tried path by path, and the caller's step count ends explosive ones.
 */
import type { Instruction } from './program.js';

/** Positions by slot; undefined for groups that did not participate. */
export type Slots = (number | undefined)[];

export interface Machine {
  program: readonly Instruction[];
  slotCount: number;
  multiline: boolean;
  ignoreCase: boolean;
  hasReferences: boolean;
}

/** Called with the number of steps taken; throws to end the search. */
type CountSteps = (steps: number) => void;

/** The first match at or after a position, with Perl's priorities; undefined if none exists. */
export function findMatch(machine: Machine, text: Int32Array, from: number, count: CountSteps): Slots | undefined {
  return machine.hasReferences ? findByTrying(machine, text, from, count) : findInParallel(machine, text, from, count);
}

interface Thread {
  counter: number;
  slots: Slots;
}

const NO_SLOTS: Slots = [];

function findInParallel(machine: Machine, text: Int32Array, from: number, count: CountSteps): Slots | undefined {
  const { program } = machine;
  count(program.length >> 2);
  const follower = new Follower(machine, text);
  let threads: Thread[] = [];
  let found: Slots | undefined;
  for (let position = from; position <= text.length; position++) {
    // A later start is worth trying only until a match has started.
    if (found === undefined) follower.follow(position, 0, NO_SLOTS, threads);
    if (threads.length === 0 && found !== undefined) break;
    count(threads.length + 1 + follower.takeWork());
    const next: Thread[] = [];
    const code = text[position];
    for (const { counter, slots } of threads) {
      const instruction = program[counter] as Instruction;
      if (instruction.op === 'match') {
        found = slots;
        // Threads after this one have lower priority.
        break;
      }
      if (instruction.op === 'code' && code !== undefined && instruction.test(code))
        follower.follow(position + 1, counter + 1, slots, next);
    }
    threads = next;
  }
  return found;
}

/** One step pays for eight places passed or slots copied. */
const WORK_PER_STEP_BITS = 3;

/** Follows all transitions that consume no character. */
class Follower {
  /** The position at which each place of the program was last visited, because one visit per position is enough. */
  private readonly seenAt: Int32Array;
  private readonly counters: number[] = [];
  /** Places passed and slots copied since the last call of `takeWork`. */
  private work = 0;
  private readonly slotsOf: Slots[] = [];

  constructor(
    private readonly machine: Machine,
    private readonly text: Int32Array,
  ) {
    this.seenAt = new Int32Array(machine.program.length).fill(-1);
  }

  /** Adds to `threads` all reachable places that wait for a character, in order of priority. */
  follow(position: number, start: number, startSlots: Slots, threads: Thread[]): void {
    const { seenAt } = this;
    this.push(start, startSlots);
    for (let counter = this.counters.pop(); counter !== undefined; counter = this.counters.pop()) {
      const slots = this.slotsOf.pop() as Slots;
      if (seenAt[counter] === position) continue;
      seenAt[counter] = position;
      this.work += 1;
      const instruction = this.machine.program[counter] as Instruction;
      switch (instruction.op) {
        case 'jump':
          this.push(instruction.to, slots);
          break;
        case 'split':
          this.push(instruction.second, slots);
          this.push(instruction.first, slots);
          break;
        case 'save':
          this.work += slots.length;
          this.push(counter + 1, withSlot(slots, instruction.slot, position));
          break;
        case 'start':
        case 'end':
          if (holds(this.machine, this.text, position, instruction.op)) this.push(counter + 1, slots);
          break;
        default:
          threads.push({ counter, slots });
      }
    }
  }

  /** Steps for the work since the last call. */
  takeWork(): number {
    const steps = this.work >> WORK_PER_STEP_BITS;
    this.work &= (1 << WORK_PER_STEP_BITS) - 1;
    return steps;
  }

  private push(counter: number, slots: Slots): void {
    this.counters.push(counter);
    this.slotsOf.push(slots);
  }
}

function withSlot(slots: Slots, slot: number, position: number): Slots {
  const copy = slots.slice();
  copy[slot] = position;
  return copy;
}

function holds(machine: Machine, text: Int32Array, position: number, anchor: 'start' | 'end'): boolean {
  if (anchor === 'start')
    return position === 0 || (machine.multiline && text[position - 1] === 10 && position < text.length);
  return position === text.length || (machine.multiline && text[position] === 10);
}

function findByTrying(machine: Machine, text: Int32Array, from: number, count: CountSteps): Slots | undefined {
  for (let position = from; position <= text.length; position++) {
    const slots = tryAt(machine, text, position, count);
    if (slots !== undefined) return slots;
  }
  return undefined;
}

function tryAt(machine: Machine, text: Int32Array, from: number, count: CountSteps): Slots | undefined {
  const stack: (Thread & { position: number })[] = [{ counter: 0, slots: [], position: from }];
  for (let way = stack.pop(); way !== undefined; way = stack.pop()) {
    count(2);
    const { counter, slots, position } = way;
    const instruction = machine.program[counter] as Instruction;
    switch (instruction.op) {
      case 'match':
        return slots;
      case 'jump':
        stack.push({ counter: instruction.to, slots, position });
        break;
      case 'split':
        stack.push({ counter: instruction.second, slots, position }, { counter: instruction.first, slots, position });
        break;
      case 'save':
        count(slots.length >> WORK_PER_STEP_BITS);
        stack.push({ counter: counter + 1, slots: withSlot(slots, instruction.slot, position), position });
        break;
      case 'start':
      case 'end':
        if (holds(machine, text, position, instruction.op)) stack.push({ counter: counter + 1, slots, position });
        break;
      case 'code':
        if (position < text.length && instruction.test(text[position] as number))
          stack.push({ counter: counter + 1, slots, position: position + 1 });
        break;
      case 'reference': {
        const length = repeats(machine, text, position, slots, instruction.group, count);
        if (length >= 0) stack.push({ counter: counter + 1, slots, position: position + length });
      }
    }
  }
  return undefined;
}

/** Length of the group's text if it is repeated here, otherwise -1. A group without text matches the empty text. */
function repeats(
  machine: Machine,
  text: Int32Array,
  position: number,
  slots: Slots,
  group: number,
  count: CountSteps,
): number {
  const [start, end] = [slots[group * 2], slots[group * 2 + 1]];
  if (start === undefined || end === undefined) return 0;
  count((end - start) >> 3);
  for (let index = 0; index < end - start; index++) {
    const [wanted, actual] = [text[start + index] as number, text[position + index]];
    if (actual === undefined || !sameCode(machine, wanted, actual)) return -1;
  }
  return end - start;
}

function sameCode(machine: Machine, left: number, right: number): boolean {
  if (left === right) return true;
  return machine.ignoreCase && String.fromCodePoint(left).toLowerCase() === String.fromCodePoint(right).toLowerCase();
}
