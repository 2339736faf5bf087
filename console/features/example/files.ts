/** The BPMN files of the example, as they are in the repository. */
import collectPayment from '../../../examples/order-fulfilment/collect-payment.bpmn?raw';
import orderFulfilment from '../../../examples/order-fulfilment/order-fulfilment.bpmn?raw';

export interface ExampleFile {
  name: string;
  processID: string;
  xml: string;
}

/** Called process first: an order calls it as soon as it is deployed. */
export const exampleFiles: readonly ExampleFile[] = [
  { name: 'collect-payment.bpmn', processID: 'collect-payment', xml: collectPayment },
  { name: 'order-fulfilment.bpmn', processID: 'order-fulfilment', xml: orderFulfilment },
];
