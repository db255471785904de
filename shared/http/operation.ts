import type * as z from 'zod/mini';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One operation of the API: its route, what it takes and what it answers. The handler parses by it, the template takes
 * the route from it, and the documents and the tests read the rest.
 */
export interface Operation {
  /** A literal: the template finds it in the source (`cdk/constructs/functions/handler-routes.ts`). */
  readonly route: `${Method} /${string}`;
  /** The purpose of the operation, as an imperative without a full stop. */
  readonly summary: string;
  readonly description?: string;
  readonly path?: z.core.$ZodType;
  readonly query?: z.core.$ZodType;
  readonly body?: z.core.$ZodType;
  /** The media type of the body. @default application/json */
  readonly bodyType?: string;
  /** Further forms of the body than JSON, by media type. A handler that has them reads its body itself. */
  readonly otherBodies?: Readonly<Record<string, z.core.$ZodType>>;
  /** A request body that the operation accepts exactly as shown. */
  readonly example?: unknown;
  /** The answers that are no errors, by status. */
  readonly answers: Readonly<Record<number, z.core.$ZodType | MediaType | undefined>>;
  /** Headers of those answers beside the ones of its interface, each with what it says. */
  readonly headers?: Readonly<Record<string, string>>;
  /** False if a repeated GET has another effect. @default true */
  readonly isRepeatable?: boolean;
  /** True if it takes no credential, or only one that is a parameter. @default false */
  readonly isPublic?: boolean;
  /** The body of its errors. @default that of its interface, as problem details or what else it has */
  readonly errorBody?: z.core.$ZodType;
  /** The codes of its errors beside the ones of its interface, by status. */
  readonly errors?: Readonly<Record<number, readonly string[]>>;
}

/** An answer that is no JSON. */
export interface MediaType {
  readonly mediaType: string;
}

/** Operations by their ids, such as `createRule`: a verb and a noun, unique in the service. */
export type Operations = Readonly<Record<string, Operation>>;

/** The operations of a resource. The keys are their ids. */
export const operations = <const Table extends Operations>(table: Table): Table => table;

type Part = 'path' | 'query' | 'body';
/** A part of the input, as its schema returns it; undefined without a schema. */
export type Parsed<One extends Operation, Name extends Part> = One[Name] extends z.core.$ZodType
  ? z.core.output<One[Name]>
  : undefined;

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** The content that the schema of an answer describes. */
type ContentOf<Schema> = Schema extends z.core.$ZodType ? DeepReadonly<z.core.output<Schema>> : undefined;

/** The results that a handler of the operation may return: a described status with its described body. */
export type AnswerOf<One extends Operation> = {
  [Status in keyof One['answers'] & number]: One['answers'][Status] extends MediaType
    ? { readonly statusCode: Status }
    : { readonly statusCode: Status; readonly content?: ContentOf<One['answers'][Status]> };
}[keyof One['answers'] & number];
