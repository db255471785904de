/**
 * A program for the packages that oapi-codegen writes of the four documents: it walks one journey per interface and prints
 * the outcomes as JSON.
 */
export const GO_JOURNEY = `
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"sort"

	"journey/conversions"
	"journey/data"
	"journey/loyalty"
	"journey/management"
)

var url, ctx = os.Getenv("API_URL"), context.Background()

type outcome map[string]any

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func done(err error) {
	if err != nil {
		panic(err)
	}
}

func bearer(name string) func(context.Context, *http.Request) error {
	return func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv(name))
		return nil
	}
}

func basic(user, password string) func(context.Context, *http.Request) error {
	return func(_ context.Context, request *http.Request) error {
		request.SetBasicAuth(user, password)
		return nil
	}
}

func managementJourney() outcome {
	client := must(management.NewClientWithResponses(url, management.WithRequestEditorFn(bearer("MANAGEMENT_TOKEN"))))
	key := "go-1"
	target := management.NewApiConfiguration{Name: "Go", TargetUrl: "https://hooks.invalid/go"}
	params := &management.CreateApiConfigurationParams{IdempotencyKey: &key}
	made := must(client.CreateApiConfigurationWithResponse(ctx, params, target)).JSON201
	again := must(client.CreateApiConfigurationWithResponse(ctx, params, target)).JSON201
	var body management.NewRule_Body
	done(body.FromNewRuleBody0(map[string]any{"id": "{{requestId}}"}))
	for _, trigger := range []string{"DSAR starts", "DSAR is completed", "Stage started"} {
		rule := management.NewRule{Module: management.NewRuleModuleDsar, Trigger: trigger, ApiConfigurationId: made.Id, Body: &body}
		must(client.CreateRuleWithResponse(ctx, &management.CreateRuleParams{}, rule))
	}
	limit, triggers := int64(2), []string{}
	list := &management.ListRulesParams{Configuration: &made.Id, Limit: &limit}
	for {
		page := must(client.ListRulesWithResponse(ctx, list)).JSON200
		for _, rule := range page.Items {
			triggers = append(triggers, rule.Trigger)
		}
		if page.NextCursor == nil {
			break
		}
		list.Cursor = page.NextCursor
	}
	sort.Strings(triggers)
	event := management.NewEvent{Id: "go-evt-1", Module: management.NewEventModuleDsar, Trigger: "DSAR starts", RecordType: "request", RecordId: "1", Data: &map[string]any{}}
	sent := must(client.SendEventWithResponse(ctx, &management.SendEventParams{}, event))
	missing := must(client.GetRuleWithResponse(ctx, "rule_none", &management.GetRuleParams{}))
	return outcome{"isOnce": made.Id == again.Id, "triggers": triggers, "sent": sent.StatusCode(), "missing": []any{missing.StatusCode(), missing.ApplicationproblemJSON404.Code}}
}

func conversionsJourney() outcome {
	client := must(conversions.NewClientWithResponses(url, conversions.WithRequestEditorFn(bearer("CONVERSION_KEY"))))
	key, stale, precision := "go-1", "1999", int64(2)
	quantity := conversions.ConvertOneQuantity{From: "ft2", To: "m2", Precision: &precision}
	done(quantity.Value.FromConvertOneQuantityValue0("1250"))
	var one conversions.ConvertOne
	var body conversions.ConvertRequest
	done(one.FromConvertOneQuantity(quantity))
	done(body.FromConvertOne(one))
	first := must(client.ConvertValuesWithResponse(ctx, &conversions.ConvertValuesParams{IdempotencyKey: &key}, body))
	result := must(first.JSON200.AsConvertResult())
	again := must(client.ConvertValuesWithResponse(ctx, &conversions.ConvertValuesParams{IdempotencyKey: &key}, body))
	used := must(client.GetUsageWithResponse(ctx)).JSON200.TestUsed
	refused := must(client.ConvertValuesWithResponse(ctx, &conversions.ConvertValuesParams{XDataVersion: &stale}, body))
	return outcome{"value": result.Value, "isReplay": again.HTTPResponse.Header.Get("idempotent-replayed"), "used": used, "stale": refused.ApplicationproblemJSON406.Code}
}

func recordsJourney() outcome {
	client := must(data.NewClientWithResponses(url, data.WithRequestEditorFn(basic("demo-token", ""))))
	one := int64(1)
	preview := must(client.SearchRecordsWithResponse(ctx, data.SearchRecordsParamsTypeProducts, &data.SearchRecordsParams{Q: "*:*", Records: &one}))
	wrong := must(client.SearchRecordsWithResponse(ctx, data.SearchRecordsParamsTypeProducts, &data.SearchRecordsParams{Q: "colour:red"}))
	users := must(client.ListUsersWithResponse(ctx)).JSON200
	return outcome{"preview": preview.StatusCode(), "users": len(*users), "wrong": []any{wrong.StatusCode(), wrong.JSON400.Error}}
}

func loyaltyJourney() outcome {
	client := must(loyalty.NewClientWithResponses(url, loyalty.WithRequestEditorFn(basic("demo-app", "demo-secret"))))
	made := must(client.CreateAnonymousTokenWithResponse(ctx, "demo-app", &loyalty.CreateAnonymousTokenParams{}))
	token := must(made.JSON200.AsAnonymousToken()).AuthToken
	place := &loyalty.ListPlacesNearbyParams{LocationLatitude: 47.62, LocationLongitude: -122.35, AuthToken: &token}
	near := must(must(client.ListPlacesNearbyWithResponse(ctx, "demo-app", place)).JSON200.AsPlaceList())
	listed := must(client.ListValidationsWithResponse(ctx, "demo-app", &loyalty.ListValidationsParams{AuthToken: &token}))
	validations := must(listed.JSON200.AsValidationList()).ImageValidations
	place.LocationLatitude = 91
	far := must(must(client.ListPlacesNearbyWithResponse(ctx, "demo-app", place)).JSON200.AsLoyaltyError())
	return outcome{"list": near.Status, "validations": len(validations), "far": far.Errors.Code}
}

func main() {
	done(json.NewEncoder(os.Stdout).Encode(outcome{"management": managementJourney(), "conversions": conversionsJourney(), "records": recordsJourney(), "loyalty": loyaltyJourney()}))
}
`;
