/** Cron expressions of timers: those of other engines are Quartz's. */
import { fromQuartz, type QuartzCron } from '@perdure/lib/quartz-cron.js';
import type { Context, Rule } from '../../context.js';
import { isBpmn } from '../../names.js';
import { quoted } from '../../report.js';
import { setText, textOf } from '../../xml/edit.js';
import type { Element } from '../../xml/document.js';

export const timerCron: Rule = (element, context) => {
  if (!isBpmn(element, 'timeCycle') || !context.hasForeignTimers) return;
  const text = textOf(element);
  if (text.startsWith('=')) {
    context.find(
      'review',
      element,
      `The cycle ${quoted(text)} is computed. A cron expression that it returns has to have six fields and weekdays by name (1 is Monday here and Sunday there), and runs in UTC.`,
    );
    return;
  }
  const cron = fromQuartz(text);
  if (cron) convertCron(element, text, cron, context);
};

function convertCron(element: Element, text: string, cron: QuartzCron, context: Context): void {
  if (context.hasOwnExtensions && cron.numbersWeekdays) {
    context.find(
      'unsupported',
      element,
      `The cycle ${quoted(text)} has weekdays as numbers, in a file with extensions of engines that count them differently: 1 is Monday here and Sunday there. Write names, such as MON-FRI.`,
    );
    return;
  }
  if (cron.kind === 'refused') {
    context.find('unsupported', element, `The cycle ${quoted(text)} is a cron expression of Quartz: ${cron.reason}`);
    return;
  }
  const isSame = cron.text === text;
  if (!isSame) setText(element, cron.text);
  const became = isSame ? '' : `The cycle ${quoted(text)} became ${quoted(cron.text)}`;
  if (cron.zoned)
    context.find(
      'review',
      element,
      `${isSame ? `The cycle ${quoted(text)}` : `${became}. It`} runs in UTC, but ran in the time zone of the server. Adjust its hours.`,
    );
  else if (!isSame) context.find('converted', element, `${became}.`);
}
