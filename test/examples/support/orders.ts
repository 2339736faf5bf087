/** Orders of the example with their expected outcomes, from the table in its README. */
import type { Order } from '../../../examples/order-fulfilment/place-order.js';

export interface OrderKind {
  /** Continues "an order that ...". */
  name: string;
  total: number;
  quantity: number;
  /** The decision about the order; absent if none is needed. */
  approved?: boolean;
  /** The end event that it has to reach. */
  end: 'OrderDelivered' | 'OrderRefused';
  /** Why it is refused. */
  reason?: string;
  /** How the called payment ends; absent where it is not called. */
  payment?: 'COMPLETED' | 'FAILED';
}

export const orderKinds: readonly OrderKind[] = [
  { name: 'is small is delivered', total: 120, quantity: 2, end: 'OrderDelivered', payment: 'COMPLETED' },
  {
    name: 'is large and approved is delivered',
    total: 1500,
    quantity: 2,
    approved: true,
    end: 'OrderDelivered',
    payment: 'COMPLETED',
  },
  {
    name: 'is large and not approved is refused',
    total: 1500,
    quantity: 2,
    approved: false,
    end: 'OrderRefused',
    reason: 'not approved',
  },
  {
    name: 'asks for more than there is is refused',
    total: 120,
    quantity: 11,
    end: 'OrderRefused',
    reason: 'out of stock',
  },
  {
    name: 'the card does not cover is refused',
    total: 9000,
    quantity: 2,
    approved: true,
    end: 'OrderRefused',
    reason: 'payment declined',
    payment: 'FAILED',
  },
];

export function orderOf({ total, quantity }: OrderKind, orderID: string): Order {
  return { orderID, total, items: [{ sku: 'kettle', quantity }] };
}
