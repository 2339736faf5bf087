// The payment of an order as an activity, and a workflow that calls the drawn process and waits for its end.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

type payment struct {
	Order  string  `json:"order"`
	Amount float64 `json:"amount"`
}

type charged struct {
	PaymentID string `json:"paymentID,omitempty"`
}

const limit = 1000

func charge(ctx context.Context, p payment) (charged, error) {
	// All attempts for one job have the same workflow ID, so it is the idempotency key of the bank.
	key := activity.GetInfo(ctx).WorkflowExecution.ID
	if err := record(fmt.Sprintf("%s %s go\n", p.Order, key)); err != nil {
		return charged{}, err
	}
	time.Sleep(500 * time.Millisecond)
	if p.Amount > limit {
		// The type is the code of the BPMN error.
		return charged{}, temporal.NewNonRetryableApplicationError(
			fmt.Sprintf("%v is above the limit of the card", p.Amount), "CARD_DECLINED", nil)
	}
	return charged{PaymentID: "payment-" + p.Order}, nil
}

func record(line string) error {
	file, err := os.OpenFile(setting("PAYMENTS_FILE", "payments.log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := file.WriteString(line); err != nil {
		_ = file.Close()
		return err
	}
	return file.Close()
}

type order struct {
	payment
	Endpoint string `json:"endpoint"`
}

type run struct {
	ProcessID  string         `json:"processId"`
	BusinessID string         `json:"businessId"`
	Variables  map[string]any `json:"variables"`
}

func buy(ctx workflow.Context, o order) (string, error) {
	processes := workflow.NewNexusClient(o.Endpoint, "perdure")
	input := run{
		ProcessID:  "order-with-payment",
		BusinessID: o.Order,
		Variables:  map[string]any{"order": o.Order, "amount": o.Amount, "language": "go"},
	}
	options := workflow.NexusOperationOptions{ScheduleToCloseTimeout: 24 * time.Hour}
	var end charged
	if err := processes.ExecuteOperation(ctx, "runProcess", input, options).Get(ctx, &end); err != nil {
		return "", err
	}
	if end.PaymentID == "" {
		return "not paid", nil
	}
	return end.PaymentID, nil
}

func setting(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func main() {
	c, err := client.Dial(client.Options{
		HostPort:  setting("TEMPORAL_ADDRESS", "127.0.0.1:7233"),
		Namespace: setting("TEMPORAL_NAMESPACE", "default"),
	})
	if err != nil {
		log.Fatalln("cannot reach Temporal:", err)
	}
	defer c.Close()
	w := worker.New(c, "payments-go", worker.Options{})
	w.RegisterActivity(charge)
	w.RegisterWorkflow(buy)
	if err := w.Run(worker.InterruptCh()); err != nil {
		log.Fatalln("worker failed:", err)
	}
}
