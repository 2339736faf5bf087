/** How often each flow was taken before and after, for the diagram. */
import { times } from '../../components/values/times.js';
import type { FlowLabel } from '../diagram/node-marks.js';
import { heatOf, heatScale } from '../diagram/heat.js';
import type { Backtest } from './backtest-query.js';

/** The label and look of each flow: thicker the more often it was taken, colored if the numbers differ. */
export function flowChanges(flows: Backtest['flows']): Map<string, FlowLabel> {
  const scale = heatScale(Math.max(0, ...flows.map(({ before, after }) => Math.max(before, after))));
  return new Map(
    flows.map(({ flowID, before, after }) => [
      flowID,
      {
        text: before === after ? number(after) : `${number(before)} → ${number(after)}`,
        title: `Taken ${times(before)} before, ${times(after)} by this version${shareOf(before, after)}`,
        weight: heatOf(Math.max(before, after), scale),
        change: after > before ? 'more' : after < before ? 'less' : undefined,
      },
    ]),
  );
}

function shareOf(before: number, after: number): string {
  if (before === 0 || before === after) return '';
  const percent = Math.round((100 * (after - before)) / before);
  return ` (${percent > 0 ? '+' : ''}${percent} %)`;
}

function number(count: number): string {
  return count.toLocaleString('en');
}
