import type { z } from 'zod';
import type { ProjectSettings } from '../../../../store/projects/project-settings.js';
import { formatDuration } from '@perdure/lib/duration.js';
import type { projectSettings } from './schemas.js';

export function toProjectSettings({
  name,
  description,
  messageTtl,
  signalTtl,
  historyRetention,
  auditRetention,
  eventRetention,
  validateForms,
  agentPrices,
}: ProjectSettings): z.output<typeof projectSettings> {
  return {
    name,
    description,
    messageTtl: durationOf(messageTtl),
    signalTtl: durationOf(signalTtl),
    historyRetention: durationOf(historyRetention),
    auditRetention: durationOf(auditRetention),
    eventRetention: durationOf(eventRetention),
    validateForms,
    agentPrices: agentPrices.map((price) => ({ ...price })),
  };
}

function durationOf(milliseconds: number | null): string | null {
  return milliseconds === null ? null : formatDuration(milliseconds);
}
