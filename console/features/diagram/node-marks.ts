import type { HeatStep } from './heat.js';

/** The marks of one node. */
export interface NodeMarks {
  /** How many tokens; 0 shows none. */
  tokens: number;
  incidents: number;
  isPaused: boolean;
  /** How many instances, where the diagram is about more than one. */
  instances?: number;
  heat?: HeatStep | undefined;
  /** A value of the node, such as a duration. */
  label?: { text: string; title: string; tone: 'plain' | 'better' | 'worse' } | undefined;
  /** How many activations missed their target. */
  late?: number | undefined;
  /** Number of errors, which prevent deployment. */
  errors?: number;
  warnings?: number;
}

/** A number on a sequence flow. */
export interface FlowLabel {
  text: string;
  title: string;
}
