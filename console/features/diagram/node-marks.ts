import type { HeatStep } from './heat.js';

/** The marks of one node. */
export interface NodeMarks {
  /** Number of tokens; 0 draws no mark. */
  tokens: number;
  incidents: number;
  isPaused: boolean;
  /** Number of instances, in a diagram of several. */
  instances?: number;
  heat?: HeatStep | undefined;
  /** A value of the node, such as a duration. */
  label?: { text: string; title: string; tone: 'plain' | 'better' | 'worse' } | undefined;
  /** Number of activations that missed their target. */
  late?: number | undefined;
  /** Number of errors, which prevent deployment. */
  errors?: number;
  warnings?: number;
  /** Number of scenarios that failed here. */
  failedScenarios?: number;
}

/** A number on a sequence flow, and its look. */
export interface FlowLabel {
  /** Undefined draws no number. */
  text: string | undefined;
  title: string;
  /** How thick the flow is drawn, among the flows of the diagram. */
  weight?: HeatStep | undefined;
  /** Against another version: how the number has changed. */
  change?: 'more' | 'less' | undefined;
}
