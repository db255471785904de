import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApiDocument } from '../../../functions/reference/documents/document.ts';
import type { DescribedEvent } from '../../../functions/reference/documents/events.ts';
import { MANAGEMENT } from '../../../functions/reference/documents/management-interface.ts';
import { BUILT_IN_EVENTS } from '../../../shared/events/built-in-events.ts';

interface EventSchema {
  readonly properties: Readonly<Record<string, object>>;
}

const ID = 'https://openapi.invalid/manage/v1/openapi.json';
const events = Object.values<Readonly<Record<string, Omit<DescribedEvent, 'trigger'>>>>(BUILT_IN_EVENTS).flatMap(
  (module) => Object.entries(module).map(([trigger, event]) => ({ trigger, ...event })),
);
const document = JSON.parse(JSON.stringify(openApiDocument(MANAGEMENT, [], { url: ID, isStrict: true, events })));
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema({ $id: ID, ...document });

/** The key under `webhooks` of a trigger's events. */
function webhookOf(trigger: string): string {
  const [key] =
    Object.entries<{ post: { summary: string } }>(document.webhooks).find(([, { post }]) => post.summary === trigger) ??
    [];
  if (key === undefined) throw new Error(`No document describes the event ${trigger}.`);
  return key;
}

/** The body of a rule that sends every described variable under its own name. */
export function allVariables(trigger: string): Readonly<Record<string, string>> {
  const { properties }: EventSchema =
    document.webhooks[webhookOf(trigger)].post.requestBody.content['application/json'].schema;
  const names = Object.keys(properties).filter((name) => name !== 'timestamp');
  return Object.fromEntries(names.map((name) => [name, `{{${name}}}`]));
}

/** Throws if the body of such a rule is not as the document describes the event. */
export function checkEvent(trigger: string, body: unknown): void {
  const validate = ajv.compile({
    $ref: `${ID}#/webhooks/${webhookOf(trigger)}/post/requestBody/content/application~1json/schema`,
  });
  if (validate(body)) return;
  throw new Error(`${trigger}: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(body)}`);
}
