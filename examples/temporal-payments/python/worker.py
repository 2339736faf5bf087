"""The payment of an order as an activity, and a workflow that calls the drawn process and waits for its end."""

import asyncio
import os
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import nexusrpc
from temporalio import activity, workflow
from temporalio.client import Client
from temporalio.exceptions import ApplicationError
from temporalio.worker import Worker

LIMIT = 1000


@dataclass
class Payment:
    order: str
    amount: float


@activity.defn
async def charge(payment: Payment) -> dict[str, str]:
    # All attempts for one job have the same workflow id, so it is the idempotency key of the bank.
    key = activity.info().workflow_id
    with open(os.environ.get("PAYMENTS_FILE", "payments.log"), "a", encoding="utf-8") as payments:
        payments.write(f"{payment.order} {key} python\n")
    await asyncio.sleep(0.5)
    if payment.amount > LIMIT:
        # The type is the code of the BPMN error.
        message = f"{payment.amount} is above the limit of the card"
        raise ApplicationError(message, type="CARD_DECLINED", non_retryable=True)
    return {"paymentID": f"payment-{payment.order}"}


@nexusrpc.service(name="perdure")
class Perdure:
    runProcess: nexusrpc.Operation[dict[str, Any], dict[str, Any]]


@dataclass
class Order:
    order: str
    amount: float
    endpoint: str


@workflow.defn(name="buy")
class Buy:
    @workflow.run
    async def run(self, order: Order) -> str:
        processes = workflow.create_nexus_client(service=Perdure, endpoint=order.endpoint)
        variables = {"order": order.order, "amount": order.amount, "language": "python"}
        end = await processes.execute_operation(
            Perdure.runProcess,
            {"processId": "order-with-payment", "businessId": order.order, "variables": variables},
            schedule_to_close_timeout=timedelta(days=1),
        )
        return end.get("paymentID", "not paid")


async def main() -> None:
    client = await Client.connect(
        os.environ.get("TEMPORAL_ADDRESS", "127.0.0.1:7233"),
        namespace=os.environ.get("TEMPORAL_NAMESPACE", "default"),
    )
    await Worker(client, task_queue="payments-python", workflows=[Buy], activities=[charge]).run()


if __name__ == "__main__":
    asyncio.run(main())
