"""What a team does with the public Python client of the wire contract. Prints one line per step that worked."""

import asyncio
import os
import sys

from quantumbpm import QuantumBPM, StaticTokenProvider, Vars
from quantumbpm.models.correlation_keys import CorrelationKeys
from quantumbpm.workers import BpmnError

MODEL = """<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"
    xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="orders" targetNamespace="orders">
  <bpmn:process id="order" name="Order" isExecutable="true">
    <bpmn:startEvent id="start"/>
    <bpmn:sequenceFlow id="f1" sourceRef="start" targetRef="charge"/>
    <bpmn:serviceTask id="charge">
      <bpmn:extensionElements><zeebe:taskDefinition type="charge" retries="2"/></bpmn:extensionElements>
    </bpmn:serviceTask>
    <bpmn:boundaryEvent id="declined" attachedToRef="charge">
      <bpmn:errorEventDefinition errorRef="Declined"/>
    </bpmn:boundaryEvent>
    <bpmn:sequenceFlow id="f2" sourceRef="declined" targetRef="refused"/>
    <bpmn:endEvent id="refused"/>
    <bpmn:sequenceFlow id="f3" sourceRef="charge" targetRef="approve"/>
    <bpmn:userTask id="approve">
      <bpmn:extensionElements><zeebe:userTask/></bpmn:extensionElements>
    </bpmn:userTask>
    <bpmn:sequenceFlow id="f4" sourceRef="approve" targetRef="paid"/>
    <bpmn:intermediateCatchEvent id="paid">
      <bpmn:messageEventDefinition messageRef="Paid"/>
    </bpmn:intermediateCatchEvent>
    <bpmn:sequenceFlow id="f5" sourceRef="paid" targetRef="done"/>
    <bpmn:endEvent id="done"/>
  </bpmn:process>
  <bpmn:error id="Declined" errorCode="DECLINED"/>
  <bpmn:message id="Paid" name="paid">
    <bpmn:extensionElements><zeebe:subscription correlationKey="=orderId"/></bpmn:extensionElements>
  </bpmn:message>
</bpmn:definitions>
"""

DECISION = """<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="d" name="d" namespace="d">
  <decision id="double" name="double"><variable name="double"/>
    <informationRequirement id="needs"><requiredInput href="#amount"/></informationRequirement>
    <literalExpression><text>amount * 2</text></literalExpression>
  </decision>
  <inputData id="amount" name="amount"><variable name="amount" typeRef="number"/></inputData>
</definitions>
"""


def done(step: str) -> None:
    print(step, flush=True)


async def until(look, holds):
    """The host says when: each look is a request."""
    while True:
        found = await look()
        if holds(found):
            return found
        await asyncio.sleep(0.1)


async def main(base_url: str, project_id: str, token: str) -> None:
    async with QuantumBPM(base_url=base_url, project_id=project_id, token_provider=StaticTokenProvider(token)) as client:
        bpmn = client.bpmn
        validated = await bpmn.validate_xml(MODEL)
        assert not validated.errors, validated
        resource = await bpmn.create_resource("orders", MODEL)
        resource = await bpmn.update_resource(resource.id, "orders", MODEL)
        done("edit a draft")

        await bpmn.deploy_resource(resource.id)
        definition = (await bpmn.get_resource(resource.id)).processes[0]
        assert (await bpmn.list_processes()).data[0].process_id == "order"
        assert (await bpmn.list_process_versions("order")).data[0].version == 1
        assert (await bpmn.list_latest_resources()).data[0].latest_resource_id == resource.id
        done("deploy")

        attempts: list[str] = []
        worker = client.new_worker()

        @worker.handler("charge", poll_timeout="1s")
        async def charge(job):
            attempts.append(job.business_id)
            if job.business_id == "declined":
                raise BpmnError("DECLINED", Vars().set("why", "no money"))
            if job.business_id == "flaky" and attempts.count("flaky") == 1:
                raise RuntimeError("the bank does not answer")
            return Vars().set("charged", job.vars.get("amount"))

        stop = asyncio.Event()
        running = asyncio.create_task(worker.run(stop))

        async def start(business_id: str) -> str:
            given = Vars().set("amount", 12).set("orderId", business_id)
            return await bpmn.start_instance(definition.id, given, business_id=business_id)

        async def status(workflow_id: str, wanted: str) -> None:
            await until(lambda: bpmn.get_instance(workflow_id), lambda found: found.status == wanted)

        await status(await start("declined"), "COMPLETED")
        done("route a BPMN error of a worker")

        flaky = await start("flaky")
        tasks = await until(lambda: bpmn.list_user_tasks(workflow_id=flaky), lambda page: len(page.data) == 1)
        assert attempts.count("flaky") == 2, attempts
        assert (await bpmn.get_instance_variables(flaky)).get("charged") == 12
        done("retry a job and complete it")

        task = await bpmn.get_user_task(tasks.data[0].execution_key)
        await bpmn.complete_user_task(task.execution_key, Vars().set("approved", True))
        await bpmn.update_instance_variables(flaky, Vars().set("note", "checked"))
        await bpmn.publish_message("paid", Vars().set("paidBy", "card"), correlation_keys=CorrelationKeys("flaky"), ttl="1h")
        await status(flaky, "COMPLETED")
        assert (await bpmn.list_instances(business_id="flaky")).data[0].status == "COMPLETED"
        done("complete a user task and correlate a message")

        canceled = await start("canceled")
        await bpmn.cancel_instance(canceled)
        await status(canceled, "CANCELED")
        await bpmn.publish_signal("nobody", ttl="1s")
        done("cancel an instance")

        stop.set()
        await running
        done("stop the worker")

        tested = await bpmn.start_test_instance(resource.id, Vars().set("orderId", "test"), process_id="order")
        assert (await bpmn.get_instance(tested)).status == "RUNNING"
        done("test a resource")

        result = await client.dmn.evaluate_design(DECISION, Vars().set("amount", 21))
        assert result["double"].value == 42, result
        done("evaluate a decision")


asyncio.run(main(sys.argv[1], sys.argv[2], os.environ["TOKEN"]))
