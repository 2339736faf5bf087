import { z } from 'zod';
import { compileResource } from '@perdure/bpmn';
import { convertInThread } from '@perdure/convert';
import { defineOperation } from '../../commands/define-operation.js';
import { problem } from '../../contract/problem.js';
import { issuesOf } from './shared/model.js';
import { validateRequest, validationIssue } from './shared/schemas.js';

const finding = z
  .strictObject({
    outcome: z.enum(['converted', 'review', 'unsupported']),
    elementID: z.string().optional(),
    line: z.int().min(1).describe('In the given file.'),
    message: z.string(),
  })
  .meta({ id: 'BpmnConversionFinding' });

const job = z
  .strictObject({
    type: z.string(),
    elementID: z.string(),
    performedBy: z.string().describe('The code that performed it, such as the name of a class; can be empty.'),
    resultVariable: z.string().optional().describe('The variable that the job worker sets.'),
  })
  .meta({ id: 'BpmnConversionJob' });

const conversion = z
  .strictObject({
    xml: z.string().describe('The converted file; the given text, declared as UTF-8, if nothing was converted.'),
    findings: z.array(finding).max(1000),
    unlistedFindings: z.int().describe('Number of findings beyond those in `findings`.'),
    jobs: z.array(job).describe('The tasks that job workers have to perform.'),
    errors: z.array(validationIssue).describe('Errors that deploying the converted file would report.'),
    warnings: z.array(validationIssue),
  })
  .meta({ id: 'BpmnConversion' });

export const convertBpmnModel = defineOperation({
  operationID: 'ConvertBpmnModel',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/convert',
  role: 'editor',
  summary: 'Convert a BPMN file of another engine',
  description:
    'Converts a file of Camunda 7, Operaton, Activiti, or Flowable, and reports what was converted, what needs a review, and what has no equivalent. Nothing is stored.',
  request: { body: validateRequest },
  responses: { 200: { description: 'The converted file with a report', schema: conversion } },
  problems: [],
}).handle(async ({ body, turns }) => {
  const attempt = await convertInThread(body.xml, turns);
  if ('unreadable' in attempt) return problem('BAD_REQUEST', `xml: ${attempt.unreadable}`);
  return { status: 200, body: { ...attempt, ...issuesOf(await compileResource(attempt.xml, turns)) } };
});
