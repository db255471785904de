/** The parts of an OpenAPI document that pages show. */
export interface DocumentView {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationView>>>>;
  /** The events that the service sends. */
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, OperationView>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, SchemaView>> };
}

export interface OperationView {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly object[];
  readonly parameters: readonly ParameterView[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, ResponseView>>;
}

interface ParameterView {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: SchemaView;
}

interface ResponseView {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description: string }>>;
  readonly content?: Content;
}

type Content = Readonly<Record<string, { readonly schema: SchemaView; readonly example?: unknown }>>;

export interface SchemaView {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: SchemaView;
  readonly properties?: Readonly<Record<string, SchemaView>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: SchemaView | boolean;
  readonly anyOf?: readonly SchemaView[];
  readonly oneOf?: readonly SchemaView[];
  readonly allOf?: readonly SchemaView[];
  readonly readOnly?: boolean;
}

/** The id of a heading, by which it is linked. */
export const anchorOf = (heading: string): string => heading.toLowerCase().replaceAll(/[^a-z]+/g, '-');
