/** The outputs with the names of the tables, by domain. A stage has those of its domains. */
export const DOMAIN_TABLES = {
  accounts: 'AccountsTable',
  records: 'RecordsTable',
  webhooks: 'WebhooksTable',
  conversions: 'ConversionsTable',
  places: 'PlacesTable',
  images: 'ImagesTable',
} as const;
