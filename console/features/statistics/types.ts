/** Results of the operations on statistics and targets. */
import type { components } from '@perdure/client';

type Schemas = components['schemas'];

export type ProcessStatistics = Schemas['BpmnProcessStatistics'];
export type StepLength = ProcessStatistics['step'];
export type StatisticsStep = Schemas['BpmnStatisticsStep'];
export type NodeStatistics = Schemas['BpmnNodeStatistics'];
export type TargetStatistics = Schemas['BpmnTargetStatistics'];
export type ProjectStatistics = Schemas['BpmnStatistics'];
export type StatisticsTrend = Schemas['BpmnStatisticsTrend'];
export type ProcessTrend = Schemas['BpmnProcessTrend'];
export type Target = Schemas['BpmnTargets']['targets'][number];
