// The payment of an order as an activity, and a workflow that calls the drawn process and waits for its end.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

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

func charge(_ context.Context, p payment) (charged, error) {
	if p.Amount > limit {
		// The type is the code of the BPMN error.
		return charged{}, temporal.NewNonRetryableApplicationError(
			fmt.Sprintf("%v is above the limit of the card", p.Amount), "CARD_DECLINED", nil)
	}
	return charged{PaymentID: "payment-" + p.Order}, nil
}

type order struct {
	payment
	Endpoint string `json:"endpoint"`
}

type run struct {
	ProcessID string         `json:"processId"`
	Variables map[string]any `json:"variables"`
}

func buy(ctx workflow.Context, o order) (string, error) {
	processes := workflow.NewNexusClient(o.Endpoint, "perdure")
	input := run{
		ProcessID: "order-with-payment",
		Variables: map[string]any{"order": o.Order, "amount": o.Amount, "language": "go"},
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
