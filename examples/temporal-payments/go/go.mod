module perdure.invalid/temporal-payments

go 1.25.0

require (
	go.temporal.io/sdk v1.44.0
)
