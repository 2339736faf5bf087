package payments;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.nexusrpc.Operation;
import io.nexusrpc.Service;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.failure.ApplicationFailure;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.workflow.NexusOperationOptions;
import io.temporal.workflow.NexusServiceOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;

/** The payment of an order as an activity, and a workflow that calls the drawn process and waits for its end. */
public final class Main {
  private static final double LIMIT = 1000;

  private Main() {}

  public record Payment(String order, double amount) {}

  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Charged(String paymentID) {}

  @ActivityInterface
  public interface Card {
    @ActivityMethod(name = "charge")
    Charged charge(Payment payment);
  }

  public static final class LimitedCard implements Card {
    @Override
    public Charged charge(Payment payment) {
      // All attempts for one job have the same workflow id, so it is the idempotency key of the bank.
      String key = Activity.getExecutionContext().getInfo().getWorkflowId();
      record(payment.order() + " " + key + " java\n");
      pause(Duration.ofMillis(500));
      if (payment.amount() > LIMIT)
        // The type is the code of the BPMN error.
        throw ApplicationFailure.newNonRetryableFailure(
            payment.amount() + " is above the limit of the card", "CARD_DECLINED");
      return new Charged("payment-" + payment.order());
    }
  }

  private static void record(String line) {
    try {
      Path file = Path.of(setting("PAYMENTS_FILE", "payments.log"));
      Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static void pause(Duration duration) {
    try {
      Thread.sleep(duration.toMillis());
    } catch (InterruptedException interruption) {
      throw Activity.wrap(interruption);
    }
  }

  public record Run(String processId, String businessId, Map<String, Object> variables) {}

  @Service(name = "perdure")
  public interface Perdure {
    @Operation(name = "runProcess")
    Charged runProcess(Run run);
  }

  public record Order(String order, double amount, String endpoint) {}

  @WorkflowInterface
  public interface Buy {
    @WorkflowMethod(name = "buy")
    String buy(Order order);
  }

  public static final class BuyByProcess implements Buy {
    @Override
    public String buy(Order order) {
      Perdure processes =
          Workflow.newNexusServiceStub(
              Perdure.class,
              NexusServiceOptions.newBuilder()
                  .setEndpoint(order.endpoint())
                  .setOperationOptions(
                      NexusOperationOptions.newBuilder()
                          .setScheduleToCloseTimeout(Duration.ofDays(1))
                          .build())
                  .build());
      Map<String, Object> variables =
          Map.of("order", order.order(), "amount", order.amount(), "language", "java");
      String paymentID = processes.runProcess(new Run("order-with-payment", order.order(), variables)).paymentID();
      return paymentID == null ? "not paid" : paymentID;
    }
  }

  private static String setting(String name, String otherwise) {
    String value = System.getenv(name);
    return value == null || value.isEmpty() ? otherwise : value;
  }

  public static void main(String[] arguments) {
    WorkflowServiceStubs stubs =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder()
                .setTarget(setting("TEMPORAL_ADDRESS", "127.0.0.1:7233"))
                .build());
    WorkflowClient client =
        WorkflowClient.newInstance(
            stubs,
            WorkflowClientOptions.newBuilder()
                .setNamespace(setting("TEMPORAL_NAMESPACE", "default"))
                .build());
    WorkerFactory factory = WorkerFactory.newInstance(client);
    Worker worker = factory.newWorker("payments-java");
    worker.registerActivitiesImplementations(new LimitedCard());
    worker.registerWorkflowImplementationTypes(BuyByProcess.class);
    factory.start();
  }
}
