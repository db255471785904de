/**
 * A program for the packages that openapi-python-client writes of the four documents: it walks one journey per interface
 * and prints the outcomes as JSON.
 */
export const PYTHON_JOURNEY = `
import json
import os

import conversion_api_client as conversions_client
import data_api_client as data_client
import loyalty_api_client as loyalty_client
import management_api_client as management_client
from conversion_api_client.api.account import get_usage
from conversion_api_client.api.conversions import convert_values
from conversion_api_client.models import ConvertOneQuantity, ConvertOneUnitPrice, ConvertOneUnitPriceRates
from data_api_client.api.records import search_records
from data_api_client.api.users import list_users
from data_api_client.models import SearchRecordsType
from loyalty_api_client.api.anonymous_tokens import create_anonymous_token
from loyalty_api_client.api.image_validations import list_validations
from loyalty_api_client.api.places import list_places_nearby
from management_api_client.api.api_configurations import create_api_configuration
from management_api_client.api.events import send_event
from management_api_client.api.rules import create_rule, get_rule, list_rules
from management_api_client.models import NewApiConfiguration, NewEvent, NewEventData, NewEventModule, NewRule, NewRuleBodyType0, NewRuleModule

URL = os.environ["API_URL"]


def management():
    client = management_client.AuthenticatedClient(URL, token=os.environ["MANAGEMENT_TOKEN"])
    target = NewApiConfiguration(name="Python", target_url="https://hooks.invalid/python")
    made = create_api_configuration.sync_detailed(client=client, body=target, idempotency_key="python-1").parsed
    again = create_api_configuration.sync_detailed(client=client, body=target, idempotency_key="python-1").parsed
    body = NewRuleBodyType0.from_dict({"id": "{{requestId}}"})
    for trigger in ["DSAR starts", "DSAR is completed", "Stage started"]:
        create_rule.sync_detailed(client=client, body=NewRule(module=NewRuleModule.DSAR, trigger=trigger, api_configuration_id=made.id, body=body))
    triggers, cursor = [], None
    while True:
        page = list_rules.sync(client=client, configuration=made.id, limit=2, **({"cursor": cursor} if cursor else {}))
        triggers += [rule.trigger for rule in page.items]
        cursor = page.next_cursor
        if not cursor:
            break
    event = NewEvent(id="python-evt-1", module=NewEventModule.DSAR, trigger="DSAR starts", record_type="request", record_id="1", data=NewEventData())
    sent = send_event.sync_detailed(client=client, body=event)
    missing = get_rule.sync_detailed("rule_none", client=client)
    return {"isOnce": made.id == again.id, "triggers": sorted(triggers), "sent": sent.status_code, "missing": [missing.status_code, missing.parsed.code]}


def conversions():
    client = conversions_client.AuthenticatedClient(URL, token=os.environ["CONVERSION_KEY"])
    item = ConvertOneQuantity(kind="quantity", value="1250", from_="ft2", to="m2", precision=2)
    first = convert_values.sync_detailed(client=client, body=item, idempotency_key="python-1")
    again = convert_values.sync_detailed(client=client, body=item, idempotency_key="python-1")
    price = ConvertOneUnitPrice(kind="unitPrice", value="3.99", currency="USD", per="lb", to_currency="EUR", to_per="kg", rates=ConvertOneUnitPriceRates.from_dict({"EUR": "0.92"}))
    used = get_usage.sync(client=client).test_used
    stale = convert_values.sync_detailed(client=client, body=item, x_data_version="1999")
    per_kilogram = convert_values.sync(client=client, body=price)
    return {"value": first.parsed.value, "isReplay": again.headers["idempotent-replayed"], "used": used, "stale": stale.parsed.code, "perKilogram": per_kilogram.value}


def records():
    # The data token is the name of HTTP Basic.
    client = data_client.AuthenticatedClient(URL, token="ZGVtby10b2tlbjo=", prefix="Basic")
    preview = search_records.sync_detailed(SearchRecordsType.PRODUCTS, client=client, q="*:*", records=1)
    wrong = search_records.sync_detailed(SearchRecordsType.PRODUCTS, client=client, q="colour:red")
    return {"preview": preview.status_code, "users": len(list_users.sync(client=client)), "wrong": [wrong.status_code, wrong.parsed.error]}


def loyalty():
    # demo-app and demo-secret
    client = loyalty_client.AuthenticatedClient(URL, token="ZGVtby1hcHA6ZGVtby1zZWNyZXQ=", prefix="Basic")
    token = create_anonymous_token.sync("demo-app", client=client).auth_token
    near = list_places_nearby.sync("demo-app", client=client, locationlatitude=47.62, locationlongitude=-122.35, auth_token=token)
    validations = list_validations.sync("demo-app", client=client, auth_token=token)
    far = list_places_nearby.sync("demo-app", client=client, locationlatitude=91, locationlongitude=-122.35, auth_token=token)
    return {"list": near.status, "validations": len(validations.image_validations), "far": far.errors.code}


print(json.dumps({"management": management(), "conversions": conversions(), "records": records(), "loyalty": loyalty()}))
`;
