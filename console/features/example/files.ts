/** The BPMN files of the example in the repository. */
import collectPayment from '../../../examples/order-fulfilment/collect-payment.bpmn?raw';
import orderFulfilment from '../../../examples/order-fulfilment/order-fulfilment.bpmn?raw';

export const exampleFiles: readonly { name: string; content: string }[] = [
  { name: 'collect-payment.bpmn', content: collectPayment },
  { name: 'order-fulfilment.bpmn', content: orderFulfilment },
];
