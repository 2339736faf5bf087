/** Start events that agents can call as tools. The interpreter does not read them. */
import type { ListedParameter } from '../elements/ad-hoc-sub-process.js';

export interface ProcessTool {
  name: string;
  /** For a language model. */
  description: string;
  nodeID: string;
  /** The message that starts the process here; absent for a none start event. */
  messageName?: string;
  /** From the calls of `fromAi` in its output mappings; absent without one. */
  parameters?: ListedParameter[];
}
