import type { PlanViews } from '#shared/auth/data-plan';
import { Refusal } from '#shared/errors';
import { CSV_FORMULAS, type CsvFormulas } from '#shared/formats/csv-formulas';
import { NOTHING_REQUESTED } from '../download/download-request.ts';
import type { Query } from '../query/query.ts';
import { readQuery } from '../query/read-query.ts';
import type { RecordType } from '../schemas/schema.ts';
import { SCHEMAS } from '../schemas/schemas.ts';
import { defaultView, type View, viewNamed } from '../schemas/view.ts';
import { planHasView } from './data-plan.ts';
import type { SEARCH_PARAMETERS } from './search-parameters.ts';

/** A valid call of a data endpoint. */
export interface Search {
  readonly type: RecordType;
  /** The decoded `q`. */
  readonly text: string;
  readonly query: Query;
  readonly view: View;
  readonly format: 'json' | 'csv';
  readonly csvFormulas: CsvFormulas;
  readonly download: boolean;
  /** The order of a preview's records. Downloads are in the order of the index. */
  readonly order: Order;
  /** The parameter as it was sent; absent if it was not sent or empty. */
  readonly records?: number;
  /** The text of the parameter; empty if it was not sent. */
  readonly recordsText: string;
}

/** `index` is by country, province and city; `relevance` the best first. */
export const ORDERS = ['index', 'relevance'] as const;
type Order = (typeof ORDERS)[number];

/** The most records of a preview, and the default. */
export const PREVIEW_RECORDS = 10;

type Parameters = { readonly [Name in keyof typeof SEARCH_PARAMETERS]?: string };

/**
 * Reads a call of a data endpoint, or refuses it. The order of the checks is part of the interface: type, view, scalar
 * parameters, `q`, its syntax, its fields, the preview limit, the plan.
 * @param plans the views of the tokens that the caller may use: one of them must include the view.
 */
export function readSearch(typeName: string, parameters: Parameters, ...plans: readonly PlanViews[]): Search {
  const type = recordType(typeName);
  const view = parameters['view'] ? viewNamed(type, parameters['view']) : defaultView(type);
  if (!view) throw invalidQuery('view does not exist');
  const format = oneOf('format', parameters, ['json', 'csv']) ?? 'json';
  const csvFormulas = oneOf('csvFormulas', parameters, CSV_FORMULAS) ?? 'guarded';
  const download = oneOf('download', parameters, ['true', 'false']) === 'true';
  const order = oneOf('order', parameters, ORDERS) ?? 'index';
  if (download && order === 'relevance') throw invalidQuery('order must be index for a download');
  const records = download ? wantedRecords(parameters) : wholeNumber('records', parameters);
  const text = parameters['q'] ?? '';
  const query = queryOf(text, type);
  if (!download && records !== undefined && records > PREVIEW_RECORDS) {
    throw forbidden(`numRequested exceeds preview record limit of ${PREVIEW_RECORDS}`);
  }
  if (!plans.some((views) => planHasView(views, view))) throw forbidden('user does not have access to this view');
  const recordsText = records === undefined ? '' : (parameters['records'] ?? '');
  return {
    type,
    text,
    query,
    view,
    format,
    csvFormulas,
    download,
    order,
    recordsText,
    ...(records !== undefined && { records }),
  };
}

function recordType(name: string): RecordType {
  if (Object.hasOwn(SCHEMAS, name)) return name as RecordType;
  throw new Refusal(404, 'not-found', 'The requested resource was not found.');
}

function queryOf(text: string, type: RecordType): Query {
  const read = readQuery(text, type);
  if (!read.ok) throw invalidQuery(read.message);
  return read.query;
}

/** A parameter with few values, in either letter case; an empty one counts as not sent. */
function oneOf<Value extends string>(
  name: keyof Parameters,
  parameters: Parameters,
  values: readonly Value[],
): Value | undefined {
  const text = parameters[name]?.trim().toLowerCase();
  if (!text) return undefined;
  const value = values.find((choice) => choice === text);
  if (value === undefined) throw invalidQuery(`${name} must be ${values.join(' or ')}`);
  return value;
}

/** The refusal of a download of no records has the same message, whether none were requested or none match. */
function wantedRecords(parameters: Parameters): number | undefined {
  if (/^(-[0-9]+|0+)$/.test(parameters['records']?.trim() ?? '')) throw invalidQuery(NOTHING_REQUESTED);
  return wholeNumber('records', parameters);
}

function wholeNumber(name: keyof Parameters, parameters: Parameters): number | undefined {
  const text = parameters[name]?.trim();
  if (!text) return undefined;
  if (!/^[0-9]{1,15}$/.test(text)) throw invalidQuery(`${name} must be a whole number, 0 or more`);
  return Number(text);
}

/** `/v3` shows the text alone, the management API the code too. */
const invalidQuery = (detail: string) => new Refusal(400, 'invalid-query', detail);
const forbidden = (detail: string) => new Refusal(403, 'forbidden', detail);
