/** The models of a soak: instances that wait for a job, a message or a timer, and now and then one that goes round for minutes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeFile } from '@perdure/lib/model-files/decode.js';
import { repositoryRoot } from '../../dev/repository.js';

/** `key`: what its message is correlated by. */
export interface SoakVariables {
  key: string;
  /** When it should have been started, in epoch milliseconds: its latency counts from there. */
  scheduledAt: number;
}

export const shapes = ['job', 'message', 'timer'] as const;
export type Shape = (typeof shapes)[number];

/** Of ten arrivals. */
export const mix: readonly Shape[] = ['job', 'job', 'message', 'job', 'timer', 'job', 'job', 'message', 'job', 'timer'];

export const JOB_TYPE = 'bench';
export const MESSAGE_NAME = 'bench-msg';
/** Enough for several runs, so that what a rotation leaves behind would be seen. */
const LOOP_TURNS = 1000;

const benchModel = (file: string) => decodeFile(readFileSync(join(repositoryRoot, 'bench/models', file)), file);

export const models: Record<Shape | 'loop', string> = {
  job: benchModel('w2.bpmn'),
  message: benchModel('w6.bpmn'),
  timer: model(
    'soakTimer',
    `${timer('wait', 'PT1S')}<sequenceFlow id="a" sourceRef="start" targetRef="wait"/><sequenceFlow id="b" sourceRef="wait" targetRef="end"/>`,
  ),
  loop: model(
    'soakLoop',
    `<exclusiveGateway id="again"/>${timer('wait', 'PT0.2S')}
     <scriptTask id="turn"><extensionElements><zeebe:script expression="=turns + 1" resultVariable="turns"/></extensionElements></scriptTask>
     <exclusiveGateway id="enough" default="more"/>
     <sequenceFlow id="a" sourceRef="start" targetRef="again"/><sequenceFlow id="b" sourceRef="again" targetRef="wait"/><sequenceFlow id="c" sourceRef="wait" targetRef="turn"/>
     <sequenceFlow id="d" sourceRef="turn" targetRef="enough"/><sequenceFlow id="more" sourceRef="enough" targetRef="again"/>
     <sequenceFlow id="e" sourceRef="enough" targetRef="end"><conditionExpression>=turns >= ${LOOP_TURNS}</conditionExpression></sequenceFlow>`,
  ),
};

function timer(id: string, duration: string): string {
  return `<intermediateCatchEvent id="${id}"><timerEventDefinition><timeDuration>${duration}</timeDuration></timerEventDefinition></intermediateCatchEvent>`;
}

function model(id: string, elements: string): string {
  return `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="definitions_${id}" targetNamespace="bench">
    <process id="${id}" isExecutable="true"><startEvent id="start"/>${elements}<endEvent id="end"/></process></definitions>`;
}
