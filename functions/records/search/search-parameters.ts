/** The query parameters of a data endpoint, as the document describes them. */
export const SEARCH_PARAMETERS = {
  q: {
    type: 'string',
    description: 'The query, such as `name:hotel AND city:austin`; at most 8 KB.',
    isRequired: true,
  },
  records: {
    type: 'integer',
    format: 'int64',
    minimum: 0,
    description: 'The number of records: of a search 0 to 10, 10 if absent; of a download all matches if absent.',
  },
  format: { type: 'string', enum: ['json', 'csv'], default: 'json', description: 'The format of the records.' },
  view: { type: 'string', description: 'The fields and their order; `{type}_all` if absent.' },
  download: {
    type: 'string',
    enum: ['true', 'false'],
    default: 'false',
    description: '`true` starts a download, which takes its records from `available_downloads` at once.',
  },
  order: {
    type: 'string',
    enum: ['index', 'relevance'],
    default: 'index',
    description:
      'The order of the records of a search: that of the index, by country, province and city; or `relevance`, the best first. Downloads have that of the index.',
  },
  csvFormulas: {
    type: 'string',
    enum: ['guarded', 'raw'],
    default: 'guarded',
    description: '`guarded` puts an apostrophe before CSV cells that a spreadsheet would run; `raw` leaves them.',
  },
} as const;
