"""Works on one topic with the public Python client, and prints the instance of each task that it has completed."""

import json
import logging
import os
import sys
import time

from camunda.external_task.external_task_worker import ExternalTaskWorker


class Troubles(logging.Handler):
    """Prints what the client could not do."""

    def emit(self, record):
        if "error " not in record.getMessage():
            return
        print(json.dumps({"trouble": record.getMessage()}), flush=True)


def work(task):
    time.sleep(0.05)
    print(json.dumps({"instance": task.get_process_instance_id()}), flush=True)
    return task.complete({"by": "python"})


base_url, topic = sys.argv[1:]
# The client logs its errors as information.
logging.getLogger().setLevel(logging.INFO)
logging.getLogger().addHandler(Troubles())
config = {
    "maxTasks": 2,
    "lockDuration": 60_000,
    "asyncResponseTimeout": 2_000,
    "sleepSeconds": 1,
    "auth_bearer": {"access_token": os.environ["TOKEN"]},
}
ExternalTaskWorker(worker_id="python", base_url=base_url, config=config).subscribe([topic], work)
